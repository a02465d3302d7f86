// A script of sh that goes before a program in the path: it looks the name up, and runs the program.

/** How a system looks a name up; the name stands in `$n`. */
const LOOK_UP = {
  linux: 'getent ahostsv4 "$n" || host -t A "$n"',
  macos: 'dscacheutil -q host -a name "$n"',
} as const

/** The same for all of the programs: its own name says which of them it is. */
export function commandScript(
  system: keyof typeof LOOK_UP,
  processes: readonly string[],
  hostname: string,
): string {
  const cases = processes.map((process, index) => `  '${process.replace(/\.exe$/i, '')}') i=$i-${index} ;;`)
  return [
    '#!/bin/sh',
    'me=${0##*/}',
    // `id` and `uname` may be planted themselves: inside the script they run at once, without a look-up.
    'if [ -z "$_inner" ]; then',
    'export _inner=1',
    `label() { printf '%s' "$1" | tr -cd 'A-Za-z0-9-' | cut -c1-63; }`,
    `i=$(od -An -N8 -tx1 /dev/urandom | tr -cd 'a-f0-9' | cut -c1-8)`,
    ...(processes.length > 1 ? ['case $me in', ...cases, 'esac'] : []),
    `n=$(label "c$(uname -n)").UN.$(label "u$(id -un)").CMD.$i.${hostname}`,
    `{ ${LOOK_UP[system]}; } >/dev/null 2>&1 </dev/null &`,
    'unset _inner',
    'fi',
    'IFS=:',
    'for d in $PATH; do',
    // PATH may name the folder of the script by another path, or hold it twice: the files are compared.
    '  [ "$d/$me" -ef "$0" ] || [ ! -x "$d/$me" ] || exec "$d/$me" "$@"',
    'done',
    `echo "sh: $me: not found" >&2`,
    'exit 127',
    '',
  ].join('\n')
}
