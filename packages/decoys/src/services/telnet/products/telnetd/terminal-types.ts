// The terminals that Debian 12 knows without further packages (ncurses-base).

export const TERMINAL_TYPES: ReadonlySet<string> = new Set(
  `ansi cons25 cons25-debian cygwin dumb Eterm Eterm-color hurd linux mach mach-bold mach-color mach-gnu mach-gnu-color
pcansi rxvt rxvt-basic rxvt-m rxvt-unicode rxvt-unicode-256color screen screen-256color screen-256color-bce screen-bce
screen-s screen-w screen.xterm-256color sun tmux tmux-256color vt100 vt102 vt220 vt52 wsvt25 wsvt25m xterm xterm-256color
xterm-color xterm-debian xterm-mono xterm-r5 xterm-r6 xterm-vt220 xterm-xfree86`.split(/\s+/),
)
