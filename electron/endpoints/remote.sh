# The whole remote side of a run, for any POSIX sh. It arrives on stdin of: exec /bin/sh -c 'eval "$(head -c N)"'.
# Variables set in front of this text (remote-script.ts):
#   mark    random text that begins our output, so that whatever a start-up file prints before is told apart
#   mode    list | hash | pack | identify | probe
#   want    Hermes home: empty ($HOME/.hermes), ~/…, or absolute;  profile  named profile, or empty
#   roots   synced roots, separated by spaces;  client  one connection of one computer; names what we keep and stage
#   names   excluded names as an extended regular expression, a|b|c;  prune  the same as find's tests, -name a -o -name b
#   filepat  extended regular expression of paths whose content nobody will ask for, or empty
#   digest  what the client holds as the digest of the cached listing, or "later": then all is made ready, and a line tells digest and count
#   inline  send contents at once up to so many bytes
#   count   1: count what lies in excluded folders; then nothing is written, and free space and volumes do not matter
#   proposed  identity marker to write when there is none
# A line "#@ only PART" begins what is sent where it is needed alone, "#@ all" what is always sent. Parts: list; write and volumes,
# for a remote that is written; count, for one that is not; blocks, for contents; probe, for a connection test. What waits for its line
# has all of a listing, and blocks.
# A record is "<numbers> <path>//\n": no path that find prints holds "//", so a newline in a name needs no escape.
# Uses only find, stat (or find -printf), awk, xargs -0, tar, sha256sum | shasum | openssl, cmp, and where they are gzip, and dd, split,
# head and tail.
printf '\n%s\n' "$mark"
LC_ALL=C TZ=UTC0; export LC_ALL TZ; set -f; umask go-w
rec() { printf '%s//\n' "$1"; }
end() { printf '//\n'; }
fail() { rec "error $1"; end; exit 0; }
has() { command -v "$1" >/dev/null 2>&1; }

case $want in
  '') [ -n "$HOME" ] && [ -d "$HOME" ] || fail "home-missing ${HOME:-\$HOME}"; home=${HOME%/}/.hermes ;;
  '~/'*) [ -n "$HOME" ] && [ -d "$HOME" ] || fail "home-missing ${HOME:-\$HOME}"; home=${HOME%/}/${want#??} ;;
  *) home=$want ;;
esac
home=${home%/}
[ "$home" != "${HOME%/}" ] || fail "home-invalid $home"
[ -d "${home%/*}" ] || fail "home-missing ${home%/*}"
[ -z "$profile" ] || home=$home/profiles/$profile
for tool in find awk xargs tar cmp; do has $tool || fail "tool-missing $tool"; done
if has sha256sum; then SHA=sha256sum; elif has shasum; then SHA='shasum -a 256'; elif has openssl; then SHA='openssl dgst -sha256 -r'; else fail 'tool-missing sha256sum'; fi
T=$(mktemp -d 2>/dev/null) || fail 'no-temporary-folder'
where= # our staging folders, relative to the home
tidy() { [ -z "$where" ] || { cd "$home" && rm -rf $where; }; where=; }
trap 'rm -rf "$T"; tidy' EXIT; trap 'exit 1' HUP INT TERM PIPE
gz=0; has gzip && gz=1
ROOTS=$roots; export SHA T ROOTS

# One record a path: inode, size, times, mode, kind. tier tells the client how to read the numbers, k how many there are.
if find / -prune -regextype posix-extended -printf '%C@' >/dev/null 2>&1; then
  tier=gnu k=6 FMT='%i %s %T@ %C@ %m %y %p//\n'
  tree() { find -H "$@" -printf "$FMT"; }
  scan() { find -H $present -regextype posix-extended -type d -regex ".*/($names)" -prune -fprintf "$T/pruned" '%p//\n' -o ! -type d -printf "$FMT"; }
  records_of() { xargs -0 sh -c 'exec find "$@" -maxdepth 0 -printf "$FMT"' sh <"$1"; }
else
  if stat -c '%z' / >/dev/null 2>&1; then tier=statc k=10 opt=-c FMT='%i %s %y %z %a %f %n//'; else tier=bsd k=5 opt=-f FMT='%i %z %Fm %Fc %p %N//'; fi
  tree() { find -H "$@" -exec stat $opt "$FMT" {} +; }
  scan() { find -H $present -type d \( $prune \) -prune -exec sh -c 'printf "%s//\n" "$@" >>"$T/pruned"' sh {} + -o ! -type d -exec stat $opt "$FMT" {} +; }
  records_of() { xargs -0 stat $opt "$FMT" <"$1"; }
fi
export FMT

# GNU tar would unquote backslashes in arguments and store a second name of a file as a link; busybox knows no -T.
if tar -cf - --hard-dereference --no-recursion --null -T /dev/null >/dev/null 2>&1; then pack() { tar -cf - --hard-dereference --no-recursion --null -T "$1" 2>/dev/null; }
elif tar -cf - --null -T /dev/null >/dev/null 2>&1; then pack() { tar -cf - --null -T "$1" 2>/dev/null; }
else pack() { xargs -0 tar -cf - <"$1" 2>/dev/null; }; fi
digest_of() { sum=$($SHA "$1") || return 1; sum=${sum%% *} sum=${sum#\\}; } # of file $1, into sum
# A copy of our cached listing, and its digest: whatever becomes of the cache, what was compared is what the client knows.
held=-
hold() { held=-; if cp "$home/.ebbgate/cache/$client/base" "$T/base" 2>/dev/null; then digest_of "$T/base" && held=$sum; fi; }
# A client that prepares sends the rest when its session ends. Without it, or without the client, there is nothing to do.
if [ "$digest" = later ]; then hold; IFS=' ' read -r digest count || exit 0; fi
[ -d "$T" ] || fail 'no-temporary-folder' # a cleaner was there meanwhile
exists=1
if [ -d "$home" ]; then cd "$home" 2>/dev/null || fail "home-unreadable $home"; else exists=0; fi
present= missing=
for root in $roots; do if [ $exists = 1 ] && [ -d "$root" ]; then present="$present $root"; else missing="$missing $root"; fi; done

squeeze() { if [ $gz = 1 ]; then gzip "$1"; else cat; fi; }
# A section: its length in bytes, then the bytes (compressed when the header said gz 1).
section() { squeeze -6 <"$1" >"$T/section"; rec "$(($(wc -c <"$T/section")))"; cat "$T/section"; }
# One line a file, in order: its SHA-256, or "-" when it cannot be read.
sums() {
  xargs -0 sh -c 'nl="
"; case "$*" in *"$nl"*) ;; *) if $SHA "$@" >"$T/sums" 2>/dev/null; then exec cat "$T/sums"; fi ;; esac
for f do { [ -f "$f" ] && [ ! -L "$f" ] && $SHA <"$f" 2>/dev/null; } || echo -; done' sh <"$1" | awk '{ sub(/^\\/, ""); print substr($0, 1, 64) }'
}
# Returns once the clock tick of a time that was read is over; a tick lasts 10 ms at most.
tick() { sleep 0.012 2>/dev/null || sleep 1; }
keep() { # makes what "$@" prints our cached listing
  cache=.ebbgate/cache/$client
  if [ $exists = 1 ] && { [ -d "$cache" ] || (umask 077; mkdir -p "$cache"); } && "$@" >"$cache/new" && digest_of "$cache/new" && mv -f "$cache/new" "$cache/base"
  then rec "kept $sum"; else rec 'kept -'; fi 2>/dev/null
}
header() {
  rec "home $home"; rec "exists $exists"; rec "tier $tier"; rec "gz $gz"
  for root in $missing; do rec "missing $root"; done
  [ $exists = 0 ] || [ ! -f .ebbgate/id ] || { IFS= read -r id <.ebbgate/id; rec "identity $id"; }
}
#@ only list
list() {
  [ "$digest" = - ] || { [ "$digest" = "$held" ] && [ -f "$T/base" ]; } || hold
  [ $count = 1 ] || ask_volumes
  : >"$T/now"; : >"$T/errors"; : >"$T/pruned"
  [ -z "$present" ] || scan >"$T/now" 2>"$T/errors"
  [ $count = 1 ] || tell_volumes
  [ ! -s "$T/errors" ] || awk 'NR > 500 { print "unreadable *//"; exit } { print "unreadable " $0 "//" }' "$T/errors"
  status=full base=/dev/null
  [ "$digest" = - ] || [ "$held" != "$digest" ] || status=diff base=$T/base
  if [ $status = diff ] && cmp -s "$T/now" "$base"; then rec 'status same'; end; return; fi
  # No later write may carry the clock tick of a time recorded above, or it could hide behind it: let the tick pass.
  tick >/dev/null &
  # The client knows by this what it asks us to keep, and need not wait for our answer.
  { digest_of "$T/now"; printf '%s\n' "$sum" >"$T/digest"; } &
  fp=$filepat awk -v k=$k -v tier=$tier -v L="$T/wanted" -v C="$T/count" '
    function path(r, i) { for (i = 0; i < k; i++) r = substr(r, index(r, " ") + 1); return r }
    function regular() { return tier == "gnu" ? f[6] == "f" : tier == "statc" ? f[10] ~ /^8/ && length(f[10]) == 4 : f[5] ~ /^100/ }
    BEGIN { RS = "//\n"; fp = ENVIRON["fp"] }
    w == 1 { old[$0]; next }
    ($0 in old) { delete old[$0]; next }
    { p = path($0); present[p]; split($0, f, " "); take = regular() && (fp == "" || p !~ fp)
      if (take) { printf "%s%c", p, 0 > L; n++; b += f[2] }
      printf "%s%s//\n", take ? "+" : "?", $0 }
    END { for (r in old) if (!((p = path(r)) in present)) printf "-%s//\n", p; printf "//\n"; printf "%d %.0f\n", n, b > C }' w=1 "$base" w=2 "$T/now" >"$T/list"
  read -r files bytes <"$T/count"
  how=none; [ "$files" = 0 ] || { how=hashes; [ "$bytes" -gt "$inline" ] || how=contents; }
  wait; read -r now <"$T/digest"
  rec "status $status"; rec "contents $how"; rec "now $now"; end
  case $how in
    contents) pack "$T/wanted" >>"$T/list" ;;
    hashes) sums "$T/wanted" >>"$T/list" ;;
  esac
  section "$T/list"
}

#@ only volumes
# Free space, and the roots that lie on another volume than the home: they are staged in themselves, so that a rename can place
# what is. Asked for first, so that nobody waits for it, and told later.
ask_volumes() {
  at=$home; [ $exists = 1 ] || at=${home%/*}; [ -d "$at" ] || at=/
  df -Pk "$at" >"$T/df" 2>/dev/null &
  if [ $tier = bsd ]; then set -- -f '%d %N' .; else set -- -c '%d %n' .; fi
  for root in $present; do set -- "$@" "$root/."; done
  : >"$T/volumes"; [ -z "$present" ] || stat "$@" >"$T/volumes" 2>/dev/null &
}
tell_volumes() {
  wait; free=
  { read -r head; read -r disk size used free rest; } <"$T/df"; rec "free ${free:--}"
  while read -r its name; do
    case $name in .) volume=$its ;; *) [ "$its" = "$volume" ] || rec "apart ${name%/.}" ;; esac
  done <"$T/volumes"
}

#@ only write
# Moves what lies in folder $1 to folder $2: whole new folders by one rename, and never onto or through something that is there.
merge() {
  for item in "$1"/* "$1"/.[!.]* "$1"/..?*; do
    [ -e "$item" ] || continue
    to=$2/${item##*/}
    if [ -d "$to" ] && [ ! -L "$to" ] && [ -d "$item" ]; then merge "$item" "$to"
    elif [ -e "$to" ] || [ -L "$to" ]; then rec "bad changed $to"
    else mv "$item" "$to" 2>>"$T/said" || rec "bad failed $to"; fi
  done
}
# write GZ STAGE: a tar follows until the end of input. It holds the staged files and, last, two of .ebbgate/STAGE: names, the paths of
# all changes, each ended by NUL; and ops: a record "= FILES BYTES", then one a change, "KIND STAGED//PATH": C create, U update,
# R remove, X forget (it changed on its way). What became of them is told first; then comes what the next listing is compared with.
write() {
  stage=.ebbgate/$2; : >"$T/said"
  { [ $exists = 1 ] || mkdir -p "$home"; } 2>"$T/said" && cd "$home" 2>>"$T/said" && exists=1 || { rec "failed $(cat "$T/said")"; return 1; }
  [ -d .ebbgate ] || (umask 077; mkdir -p .ebbgate) 2>"$T/said" || { rec "failed $(cat "$T/said")"; return 1; }
  where=$stage; for root in $apart; do where="$where $root/.ebbgate-$2"; done
  set +f; for old in ".ebbgate/in-$client-"*; do [ ! -d "$old" ] || rm -rf "$old"; done; set -f # of a run that was cut off
  if [ "$1" = 1 ]; then gzip -dc | tar -xof - 2>"$T/said"; else tar -xof - 2>"$T/said"; fi || { rec "failed $(cat "$T/said")"; return 1; }
  [ -f "$stage/ops" ] && [ -f "$stage/names" ] || { rec 'failed the list of changes did not arrive'; return 1; }
  for dir in $where; do [ ! -d "$dir" ] || tree "$dir"; done >"$T/staged" 2>/dev/null
  : >"$T/fresh"; : >"$T/go"; [ ! -s "$stage/names" ] || records_of "$stage/names" >"$T/fresh" 2>/dev/null
  # Everything must have arrived. Updates and removals go on only where the target is still what was listed.
  awk -v k=$k -v tier=$tier -v S="$stage" -v G="$T/go" '
    function path(r, i) { for (i = 0; i < k; i++) r = substr(r, index(r, " ") + 1); return r }
    function regular() { return tier == "gnu" ? f[6] == "f" : tier == "statc" ? f[10] ~ /^8/ && length(f[10]) == 4 : f[5] ~ /^100/ }
    BEGIN { RS = "//\n" }
    w == 1 { p = path($0); split($0, f, " "); if (p != S "/ops" && p != S "/names" && regular()) { n++; b += f[2] }; next }
    w == 2 { seen[path($0)] = $0; next }
    w == 3 { fresh[path($0)] = $0; next }
    /^= / { counted = 1; got = sprintf("= %d %.0f", n, b); if ($0 != got) { printf "failed only a part arrived (%s of %s)//\n", got, $0; exit 1 } }
    /^[URX] / { kind = substr($0, 1, 1); r = substr($0, 3); i = index(r, "//"); from = substr(r, 1, i - 1); p = substr(r, i + 2)
      if (kind != "X" && !((p in fresh) && fresh[p] == seen[p])) { printf "bad changed %s//\n", p; kind = "X" }
      printf "%s%c%s%c%s%c", kind, 0, from, 0, p, 0 > G }
    END { if (!counted) { printf "failed the list of changes did not arrive//\n"; exit 1 } }' w=1 "$T/staged" w=2 "$T/now" w=3 "$T/fresh" w=4 "$stage/ops" || return 1
  # U: rename over. R: remove, then the folders this emptied. X: forget. RACE: a write between the check above and here is lost.
  # Three changes at once: BusyBox also cuts where 32 KB are reached, which three with the longest paths stay below.
  [ ! -s "$T/go" ] || xargs -0 -n 9 sh -c '
    plain() { d=$1; while case $d in */*) d=${d%/*} ;; *) false ;; esac; do case " $ROOTS " in *" $d "*) return 0 ;; esac; [ ! -L "$d" ] || return 1; done; }
    while [ $# -ge 3 ]; do kind=$1 from=$2 to=$3; shift 3
      case $kind in
        X) [ "$from" = - ] || rm -f "$from" ;;
        U) if plain "$to" && [ ! -d "$to" ] && mv -f "$from" "$to" 2>>"$T/said"; then :; else rm -f "$from"; printf "bad failed %s//\n" "$to"; fi ;;
        R) if plain "$to" && rm -f "$to" 2>>"$T/said"; then d=${to%/*}; while case " $ROOTS " in *" $d "*) false ;; esac && rmdir "$d" 2>/dev/null; do d=${d%/*}; done
           else printf "bad failed %s//\n" "$to"; fi ;;
      esac
    done' sh <"$T/go"
  set +f
  for root in $roots; do
    from=$stage; case " $apart " in *" $root "*) from="$root/.ebbgate-$2" ;; esac
    [ -d "$from/$root" ] || continue
    [ -d "$root" ] || mkdir -p "$root" 2>>"$T/said" || { rec "bad failed $root"; continue; }
    merge "$from/$root" "$root"
  done
  set -f
  [ ! -s "$T/said" ] || rec "said $(cat "$T/said")"
}
# The new listing: what was listed, with our own changes. A path whose file is not the one we staged gets a record that
# never matches, so that the next listing reports it again; so does one that was to be removed and is still there.
next() {
  : >"$T/after"; [ ! -s "$stage/names" ] || records_of "$stage/names" >"$T/after" 2>/dev/null
  awk -v k=$k '
    function path(r, i) { for (i = 0; i < k; i++) r = substr(r, index(r, " ") + 1); return r }
    function same(a, b, x, y, n, i) { split(a, x, " "); n = split(b, y, " "); for (i = 1; i <= k - (k == 10 ? 5 : k == 6 ? 3 : 2); i++) if (x[i] != y[i]) return 0; return 1 }
    BEGIN { RS = "//\n" }
    w == 1 { staged[path($0)] = $0; next }
    w == 2 { after[path($0)] = $0; next }
    w == 3 { if ($0 !~ /^[CUR] /) next
      kind = substr($0, 1, 1); r = substr($0, 3); i = index(r, "//"); from = substr(r, 1, i - 1); p = substr(r, i + 2)
      if (kind == "R" && !(p in after)) { gone[p]; next }
      mine[p]
      if ((p in after) && (from in staged) && same(staged[from], after[p])) printf "%s//\n", after[p]
      else { for (i = 0; i < k; i++) printf "0 "; printf "%s//\n", p }
      next }
    { p = path($0); if (!(p in mine) && !(p in gone)) printf "%s//\n", $0 }' w=1 "$T/staged" w=2 "$T/after" w=3 "$stage/ops" w=4 "$T/now"
}

#@ only count
# How many files lie in the folders that the listing did not enter, and their bytes, by the outermost name.
trees() {
  awk 'BEGIN { RS = "//\n" } { printf "%s%c", $0, 0 }' "$T/pruned" >"$T/folders"
  case $tier in
    gnu) sizes='exec find "$@" ! -type d -printf "%s %p//\n"' ;;
    statc) sizes='exec find "$@" ! -type d -exec stat -c "%s %n//" {} +' ;;
    bsd) sizes='exec find "$@" ! -type d -exec stat -f "%z %N//" {} +' ;;
  esac
  xargs -0 sh -c "$sizes" sh <"$T/folders" 2>"$T/uncounted" |
    re="^($names)$" awk 'BEGIN { RS = "//\n"; re = ENVIRON["re"] }
      { i = index($0, " "); m = split(substr($0, i + 1), part, "/"); for (j = 1; j < m; j++) if (part[j] ~ re) { files[part[j]]++; bytes[part[j]] += substr($0, 1, i - 1); break } }
      END { for (t in files) printf "tree %d %.0f %s//\n", files[t], bytes[t], t }'
  [ ! -s "$T/uncounted" ] || rec incomplete
}
# Waits two seconds at most for what was begun after the listing.
counted() {
  [ -s "$T/pruned" ] || return 0
  i=0; until [ -f "$T/counted" ] || [ $i -ge 40 ]; do i=$((i + 1)); sleep 0.05 2>/dev/null || { sleep 1; i=$((i + 19)); }; done
  if [ -f "$T/counted" ]; then cat "$T/counted"; else rec incomplete; fi
}

#@ only blocks
# blocks LINES LIST: of large files only what differs. $T/rest has the lines of the client's hashes, then the list, in so many bytes. It has
# six items a file: FROM:COUNT, its lines; the bytes of a block; blocks to hash in one go, if there is split; blocks to send in one piece;
# its listed size; its path. A line begins the SHA-256 of the client's block at that place. Answers with the record "-" for what is no
# file to be read, or with the pieces that differ, "FIRST COUNT" of blocks for each, and then these as sections: as long as they were
# listed, whatever became of the file meanwhile. Without dd everything differs.
blocks() {
  KNOWN=$T/known PACK=cat ROWS='
    w == 1 { sub(/^\\/, ""); mine[FNR - 1] = substr($0, 1, 16); next }
    FNR > from && FNR <= from + count { i = FNR - from - 1; if (i in mine && mine[i] == $0) same[i] }
    function row(end) {
      if (first < end) { printf "%d %d ", first, end - first
        printf "%d %d %.0f %.0f\n", first, end - first, first * bytes + 1, (end * bytes > size ? size : end * bytes) - first * bytes >R }
      first = end }
    END { first = 0; for (i = 0; i * bytes < size; i++) { if (i in same) { row(i); first = i + 1 } else if (i - first == most) row(i) }
      row(i); printf "//\n" }'
  [ $gz = 0 ] || PACK='gzip -1'
  export KNOWN PACK ROWS
  head -c "$1" "$T/rest" >"$KNOWN"
  tail -c "+$(($1 + 1))" "$T/rest" | head -c "$2" | xargs -0 -n 6 sh -c 'from=${1%:*} count=${1#*:} bytes=$2 at_once=$3 f=$6 i=0
    [ -f "$f" ] && [ ! -L "$f" ] && [ -r "$f" ] || { echo "-//"; exit 0; }
    command -v dd >/dev/null || i=$count
    command -v split >/dev/null || at_once=1
    while [ $i -lt $count ]; do
      if [ $at_once = 1 ]; then dd if="$f" bs=$bytes skip=$i count=1 | $SHA
      else dd if="$f" bs=$bytes skip=$i count=$at_once | split -b $bytes - "$T/part."; $SHA "$T"/part.*; rm -f "$T"/part.*; fi
      i=$((i + at_once))
    done >"$T/mine"
    : >"$T/rows"
    awk -v from=$from -v count=$count -v bytes=$bytes -v most=$4 -v size=$5 -v R="$T/rows" "$ROWS" w=1 "$T/mine" w=2 "$KNOWN"
    while read -r first count from length; do
      { if command -v dd >/dev/null; then dd if="$f" bs=$bytes skip=$first count=$count; else tail -c "+$from" "$f"; fi; cat /dev/zero; } |
        head -c $length | $PACK >"$T/piece"
      echo "$(($(wc -c <"$T/piece")))//"; cat "$T/piece"
    done <"$T/rows"' sh 2>/dev/null
}

#@ only probe
# What a connection test tells beside the header.
probe() {
  rec "os $(uname -sm 2>/dev/null)"; rec "clock $(date +%s)"; rec "tar $(tar --version 2>/dev/null </dev/null | head -n 1)"
  at=$home; [ $exists = 1 ] || at=${home%/*}
  [ ! -d "$at" ] || [ -w "$at" ] || rec "unwritable $at"
  for file in state.db config.yaml auth.json hermes-agent/venv/bin/hermes hermes-agent/.venv/bin/hermes venv/bin/hermes .venv/bin/hermes; do
    [ ! -e "$home/$file" ] || rec "hermes $home/$file"
  done
  if has hermes; then rec "hermes $(command -v hermes)"; elif [ -x "$HOME/.local/bin/hermes" ]; then rec "hermes $HOME/.local/bin/hermes"; fi
  set +f; for folder in "${home%/profiles/"$profile"}"/profiles/*/; do [ ! -d "$folder" ] || { folder=${folder%/}; rec "profile ${folder##*/}"; }; done
}

#@ all
case $mode in
  probe) header; ask_volumes; tell_volumes; probe; end ;;
  hash) header; end; cat >"$T/wanted"; [ ! -s "$T/wanted" ] || sums "$T/wanted"; echo "$mark" ;;
  pack)
    header; end
    IFS=' ' read -r lines list; cat >"$T/wanted"
    if [ "$list" != 0 ]; then # not off the pipe: BusyBox and toybox take more than they are told to
      mv "$T/wanted" "$T/rest"; blocks "$lines" "$list"; tail -c "+$((lines + list + 1))" "$T/rest" >"$T/wanted"
    fi
    [ ! -s "$T/wanted" ] || pack "$T/wanted" | squeeze -1 ;;
  identify)
    { [ $exists = 1 ] || mkdir -p "$home"; } && cd "$home" && (umask 077; mkdir -p .ebbgate; set -C; printf '%s\n' "$proposed" >.ebbgate/id) 2>/dev/null
    if [ -f "$home/.ebbgate/id" ]; then exists=1; header; else rec 'error not-writable'; fi; end ;;
  list)
    header; list
    [ $count = 0 ] || [ ! -s "$T/pruned" ] || { trees >"$T/trees"; mv "$T/trees" "$T/counted"; } 2>/dev/null &
    while IFS=' ' read -r verb a b apart; do
      case $verb in
        trees) counted ;;
        keep) keep cat "$T/now" ;;
        blocks) head -c "$((a + b))" >"$T/rest"; blocks "$a" "$b" ;;
        write) if write "$a" "$b"; then end; tick; keep next; fi; tidy ;;
      esac
      end
    done ;;
esac
