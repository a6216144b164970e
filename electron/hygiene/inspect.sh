# Looks at a Hermes home, for any POSIX sh. Writes nothing. It arrives on stdin of: exec /bin/sh -c 'eval "$(head -c N)"'.
# Set in front of this text (inspect-script.ts): M random marker; want the home, empty, ~/… or absolute; profile, or empty;
# hashes lines "PROFILE/ID SIZE" of archives to hash; now the id of this moment; temporary limits; and the function trees_in, which names the excluded.
# Answers are words that end with NUL; a file's content stands between $M< and $M> because it may hold anything.
LC_ALL=C; export LC_ALL; umask 077
t() { printf '%s\000' "$@"; }
t '' "$M-begin"
has() { command -v "$1" >/dev/null 2>&1; }
for tool in find awk head; do has $tool || { t no-tool $tool "$M-end"; exit 0; }; done
case $want in
  '' | '~/'*) [ -n "$HOME" ] && [ -d "$HOME" ] || { t no-home "${HOME:-\$HOME}" "$M-end"; exit 0; } ;;
esac
case $want in
  '') B=${HOME%/}/.hermes ;;
  '~/'*) B=${HOME%/}/${want#??} ;;
  *) B=$want ;;
esac
B=${B%/}; H=$B; [ -z "$profile" ] || H=$B/profiles/$profile
[ -d "${B%/*}/" ] || { t no-home "${B%/*}" "$M-end"; exit 0; }

if stat -c %s / >/dev/null 2>&1; then SIZE='stat -c %s' TIME='stat -c %Y' COLUMN=1
elif stat -f %z / >/dev/null 2>&1; then SIZE='stat -f %z' TIME='stat -f %m' COLUMN=1
else SIZE='ls -ldn' TIME= COLUMN=5; fi
# Files, bytes, and how often something could not be read. Names are never printed, so none can be mistaken for a number.
FN='t() { printf "%s\\000" "$@"; }
count() { { find "$1" ! -type d -exec $SIZE {} + 2>/dev/null || echo x; } | awk -v c=$COLUMN '\''$c ~ /^[0-9]+$/ { n++; b += $c; next } { e++ } END { printf "%.0f %.0f %.0f", n, b, e }'\''; }'
eval "$FN"; export FN SIZE COLUMN
size() { $SIZE "$1" 2>/dev/null | awk -v c=$COLUMN 'NR == 1 { print $c }'; }
state() { # of the folder $1
  if [ -d "$1" ]; then if [ -r "$1" ] && [ -x "$1" ]; then echo ok; else echo unreadable; fi
  elif [ -e "$1" ]; then echo other
  elif [ -d "${1%/*}" ] && [ ! -x "${1%/*}" ]; then echo unreadable
  else echo missing; fi
}
plain() { [ -f "$1" ] && [ ! -L "$1" ]; }
if has gzip; then squeeze() { gzip -c; }; t gz 1; else squeeze() { cat; }; t gz 0; fi
text() { # of the file $1, at most $2 bytes
  if plain "$1" && [ -r "$1" ]; then t text; printf '%s<' "$M"; head -c "$2" <"$1" | squeeze; printf '%s>' "$M"; else t no-text; fi
}
D='[0-9]' ID="$D$D$D$D-$D$D-${D}${D}T$D$D-$D$D-$D${D}Z"
is_id() { case $1 in $ID | $ID-$D$D) ;; *) false ;; esac; }
real() { [ -d "$1" ] && [ ! -L "$1" ]; }

home_at() { # $1, as profile $2
  t enter "$2"
  trees_in "$1" 2>/dev/null || t partial
  backups=$1/skills/.curator_backups
  [ ! -L "$backups" ] || t linked
  real "$backups" || return 0
  [ -r "$backups" ] && [ -x "$backups" ] || { t partial; return 0; }
  for dir in "$backups"/*; do
    id=${dir##*/}
    real "$dir" && is_id "$id" || continue
    file=$dir/skills.tar.gz state=missing bytes=0
    [ -x "$dir" ] || state=unreadable
    if plain "$file"; then bytes=$(size "$file"); if [ -r "$file" ]; then state=present; else state=unreadable; fi; fi
    t point "$id" "$(count "$dir")" $state "$bytes"; text "$dir/manifest.json" $manifest_limit
  done
  for dir in "$backups"/.rollback-staging-*; do
    real "$dir" && t left "${dir#"$1"/}" "$(count "$dir")" rollback
  done
  return 0
}

# Archives, newest first: unpacked until the first good one that is not dated in the future, and hashed where the other side has one of the same length.
archives_at() { # $1, as profile $2
  backups=$1/skills/.curator_backups ids= good=
  real "$backups" || return 0
  for dir in "$backups"/*; do id=${dir##*/}; if real "$dir" && is_id "$id"; then ids="$id $ids"; fi; done
  for id in $ids; do
    file=$backups/$id/skills.tar.gz
    plain "$file" && [ -r "$file" ] || continue
    bytes=$(size "$file")
    case "$hashes" in *"
$2/$id $bytes
"*) if [ -n "$SHA" ]; then sum=$($SHA <"$file" 2>/dev/null); t sha "$2" "$id" "${sum%% *}"; fi ;; esac
    [ -z "$good" ] && has gzip && [ "$bytes" != 0 ] || continue
    stated=
    ! plain "$backups/$id/manifest.json" || stated=$(sed -n 's/.*"archive_bytes"[[:space:]]*:[[:space:]]*\([0-9][0-9]*\).*/\1/p' <"$backups/$id/manifest.json" 2>/dev/null | head -n 1)
    [ -z "$stated" ] || [ "$stated" = "$bytes" ] || continue
    gzip -dc <"$file" >/dev/null 2>&1
    # 2 is a warning: all of it could be read, and something follows.
    case $? in 0 | 2) expr "x$id" '>' "x$now" >/dev/null || good=1; t gzip "$2" "$id" good ;; *) t gzip "$2" "$id" bad ;; esac
  done
}

t home "$H" "$(state "$H")" "$(state "$H/skills")"
if [ -d "$H" ]; then
  ! has hermes || t hermes
  for file in "$HOME/.local/bin/hermes" $evidence; do
    case $file in /*) ;; *) ! [ -e "$B/$file" ] && ! [ -e "$H/$file" ] || t hermes; continue ;; esac
    [ ! -e "$file" ] || t hermes
  done
  blobs=$H/.curator_backups/blobs
  ! [ -d "$blobs" ] || t blobs "$(count "$blobs")"
  file=$H/skills/.hub/lock.json state=missing
  if [ "$(state "$H/skills/.hub")" = unreadable ]; then state=unreadable
  elif plain "$file" && [ -r "$file" ]; then state=present
  elif [ -e "$file" ] || [ -L "$file" ]; then state=unreadable; fi
  time=; [ -z "$TIME" ] || time=$($TIME "$file" 2>/dev/null)
  t hub $state "$time"; text "$file" $hub_limit
  home_at "$H" ''
  for dir in "${TMPDIR:-/tmp}"/hermes-sync-back-*; do
    pid=${dir##*/hermes-sync-back-}; pid=${pid%%-*}
    case $pid in '' | *[!0-9]*) continue ;; esac
    { [ -d "/proc/$pid" ] || kill -0 "$pid" 2>/dev/null; } || t left "$dir" "$(count "$dir")" sync-back
  done
  for dir in "$B"/profiles/*; do ! real "$dir" || home_at "$dir" "${dir##*/}"; done
  t facts-end
  SHA=
  if has sha256sum; then SHA=sha256sum; elif has shasum; then SHA='shasum -a 256'; elif has openssl; then SHA='openssl dgst -sha256 -r'; fi
  archives_at "$H" ''
  for dir in "$B"/profiles/*; do ! real "$dir" || archives_at "$dir" "${dir##*/}"; done
fi
t "$M-end"
