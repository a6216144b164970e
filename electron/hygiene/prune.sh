# Moves restore points and leftovers out of a Hermes home's way and back, for any POSIX sh. It arrives on stdin of:
# exec /bin/sh -c 'eval "$(head -c N)"'. Set in front of this text (prune-script.ts): M random marker; H the absolute home; mode
# look | move | restore | kept | drop | empty; run id of the run; steal non-empty when the lock that is there was left behind;
# before the id from which on runs stay; and "set --" with the words of the mode. Paths are relative to the home and begin with skills/.
# Answers are words that end with NUL. Nothing is followed, moved or deleted through a link below skills/ or .ebbgate/.
LC_ALL=C TZ=UTC0; export LC_ALL TZ; umask 077
t() { printf '%s\000' "$@"; }
t '' "$M-begin"
has() { command -v "$1" >/dev/null 2>&1; }
for tool in find awk sort mkdir; do has $tool || { t no-tool $tool "$M-end"; exit 0; }; done
cd "$H" 2>/dev/null || { t no-home "$M-end"; exit 0; }
backups=skills/.curator_backups trash=.ebbgate/trash
if stat -c %s / >/dev/null 2>&1; then STAT='stat -c %f:%s:%Y:%y:%n' TIME='stat -c %Y' VOLUME='stat -c %d' COLUMN=1
elif stat -f %z / >/dev/null 2>&1; then STAT='stat -f %p:%z:%m:%Fm:%N' TIME='stat -f %m' VOLUME='stat -f %d' COLUMN=1
else STAT='ls -ldn' TIME= VOLUME= COLUMN=0; fi
if has sha256sum; then SHA=sha256sum; elif has shasum; then SHA='shasum -a 256'; elif has openssl; then SHA='openssl dgst -sha256 -r'
elif has cksum; then SHA=cksum; elif has md5sum; then SHA=md5sum; else t no-tool sha256sum "$M-end"; exit 0; fi
export SHA STAT
real() { [ -d "$1" ] && [ ! -L "$1" ]; }
plain() { # the folder $1 and those above it are real; the first may be a link
  d=$1
  while :; do case $d in */*) real "$d" || return 1; d=${d%/*} ;; *) [ -d "$d" ]; return ;; esac; done
}
# Two lines: a sum over every name, size and time in $1; then files, bytes, what could not be read, and the latest time.
facts() {
  { if real "$1"; then (cd "$1" && find . -exec $STAT {} +) 2>/dev/null || echo x; else $STAT "$1" 2>/dev/null || echo x; fi; } | sort | awk -v c=$COLUMN '
    BEGIN { sha = ENVIRON["SHA"] }
    { print | sha }
    $0 == "x" { e++; next }
    c == 0 { if ($1 !~ /^d/) { n++; b += $5 } next }
    !/^[0-9a-f]+:[0-9]+:[0-9]+:/ { next }
    { split($0, f, ":"); if (f[3] + 0 > m) m = f[3] + 0; if (f[1] !~ /^4/ || length(f[1]) > 5) { n++; b += f[2] } }
    END { close(sha); printf "%.0f %.0f %.0f %s\n", n, b, e, m }'
}
entry() { # what lies at $1, when something does
  if [ -L "$1" ] || { [ -e "$1" ] && ! plain "${1%/*}"; }; then t entry "$1" link ''
  elif [ -d "$1" ]; then t entry "$1" folder "$(facts "$1")"
  elif [ -f "$1" ]; then t entry "$1" file "$(facts "$1")"
  elif [ -e "$1" ]; then t entry "$1" other ''; fi
}
look() {
  t clock "$(date +%s 2>/dev/null)"
  if plain $backups; then
    for path in $backups/* $backups/.[!.]* $backups/..?*; do case $path in "$backups/*" | "$backups/.[!.]*" | "$backups/..?*") [ -e "$path" ] || continue ;; esac; entry "$path"; done
  fi
  for path do entry "$path"; done
  if [ -e $trash/.lock ]; then time=; [ -z "$TIME" ] || time=$($TIME $trash/.lock 2>/dev/null); t pruning "$time"; fi
  # Asked without waiting, and let go of at once.
  if [ -f .sync.lock ] && has flock; then flock -n .sync.lock true 2>/dev/null; [ $? != 1 ] || t locked .sync.lock; fi
}
open_trash() { # and take its lock
  for dir in .ebbgate $trash; do
    [ ! -L "$dir" ] && { [ -d "$dir" ] || mkdir "$dir" 2>/dev/null; } || { t broken "$dir"; return 1; }
  done
  [ -z "$steal" ] || rmdir $trash/.lock 2>/dev/null
  mkdir $trash/.lock 2>/dev/null || { t busy; return 1; }
  trap 'rmdir $trash/.lock 2>/dev/null' EXIT; trap 'exit 1' HUP INT TERM PIPE
}
same_volume() { [ -z "$VOLUME" ] || [ "$($VOLUME "$1" 2>/dev/null)" = "$($VOLUME "$2" 2>/dev/null)" ]; }
shift_to() { # $1 to $2; $3 is how it is called
  if ! same_volume "${1%/*}" "${2%/*}"; then t failed "$3" 'it lies on another volume than the Hermes home'
  elif said=$(mv "$1" "$2" 2>&1); then t moved "$3"; else t failed "$3" "$said"; fi
}
check() { # PATH STAMP NAME…
  wrong=
  while [ $# -ge 3 ]; do
    if ! plain "$1" || [ "$(facts "$1" | awk 'NR == 1')" != "$2" ]; then t changed "$1"; wrong=1; fi
    shift 3
  done
  [ -z "$wrong" ]
}
move() { # PATH STAMP NAME…
  open_trash && check "$@" || return
  mkdir "$trash/$run" 2>/dev/null || { t broken "$trash/$run"; return; }
  while [ $# -ge 3 ]; do shift_to "$1" "$trash/$run/$3" "$1"; shift 3; done
}
restore() { # PATH NAME…
  open_trash || return
  while [ $# -ge 2 ]; do
    from=$trash/$run/$2 up=${1%/*}
    case $up in $backups) [ -e "$up" ] || [ -L "$up" ] || ! plain skills || mkdir "$up" 2>/dev/null ;; esac
    if ! real "$trash/$run" || ! real "$from"; then real "$1" || t failed "$1" 'it is no longer in the trash'
    elif [ -e "$1" ] || [ -L "$1" ]; then t failed "$1" 'something else has its name now'
    elif ! plain "$up"; then t failed "$1" 'the folder that held it is gone'
    else shift_to "$from" "$1" "$1"; fi
    shift 2
  done
  rmdir "$trash/$run" 2>/dev/null
}
there() { # whether the trash has $1; a link on the way is not ours
  for dir in .ebbgate $trash "$1"; do
    [ ! -L "$dir" ] || { t broken "$dir"; return 1; }
    [ -d "$dir" ] || return 1
  done
}
kept() {
  there "$trash/$run" || return
  for path in "$trash/$run"/[0-9]*; do [ ! -e "$path" ] && [ ! -L "$path" ] || t "${path##*/}"; done
}
drop() { # RUN…
  for name do
    there "$trash/$name" || continue
    said=$(rm -rf "$trash/$name" 2>&1) || t failed "$name" "$said"
  done
}
empty() {
  real .ebbgate && real $trash || return 0
  for dir in $trash/[0-9]*; do
    name=${dir##*/}
    # The names of our runs begin with their time; nothing else is ours to delete.
    case $name in [0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9]*Z-[0-9a-f]*) ;; *) continue ;; esac
    expr "x$name" '<' "x$before" >/dev/null && drop "$name"
  done
}
case $mode in look | move | restore | kept | drop | empty) $mode "$@" ;; esac
t "$M-end"
