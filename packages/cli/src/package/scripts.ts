// The scripts that dpkg runs: they make the user, give the configuration its place, and start the service.
import type { DebPackage } from './deb.ts'

export interface ScriptOptions {
  readonly packageName: string
  /** The system user; the unit and the folder below /var/lib have its name. */
  readonly user: string
  /** In /etc/rookery, without `.conf`. */
  readonly configuration: string
  /** Of the program, where the configuration lies as it is shipped. */
  readonly folder: string
  /** What a purge deletes below /var/lib, for people. */
  readonly holds: string
  /** More that a purge deletes. */
  readonly purges?: readonly string[]
  /** A command that fails while the service cannot start; and what to do then. */
  readonly isConfigured?: { readonly test: string; readonly otherwise: string }
}

/**
 * The configuration is no conffile: it lists every option, so each release changes it, and dpkg would ask at each upgrade. A file that
 * nobody has changed follows the release; any other stays as it is.
 */
export function scriptsOf(options: ScriptOptions): DebPackage['scripts'] {
  const { packageName, user, configuration, folder, holds, purges = [], isConfigured } = options
  const unit = `${user}.service`
  const conf = `/etc/rookery/${configuration}.conf`
  const shipped = `/${folder}/${configuration}.conf`
  const gone = [`/var/lib/${user}`, `/var/cache/${user}`, conf, ...purges]
  const start = isConfigured
    ? `if ${isConfigured.test}; then deb-systemd-invoke restart ${unit}; else echo "${packageName}: ${isConfigured.otherwise}"; fi`
    : `deb-systemd-invoke restart ${unit}`
  return {
    preinst: `#!/bin/sh
set -e
if [ "$1" = upgrade ] && cmp -s ${shipped} ${conf}; then rm ${conf}; fi
`,
    postinst: `#!/bin/sh
set -e
if [ "$1" = triggered ]; then exit 0; fi
if ! getent passwd ${user} > /dev/null; then
  useradd --system --user-group --home-dir /var/lib/${user} --no-create-home --shell /usr/sbin/nologin ${user}
fi
install -d -m 0700 -o ${user} -g ${user} /var/lib/${user}
if [ ! -e ${conf} ]; then install -D -m 0640 -g ${user} ${shipped} ${conf}; fi
if [ "$1" = configure ]; then
  deb-systemd-helper enable ${unit} > /dev/null || true
  if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    ${start}
  fi
fi
`,
    prerm: `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then deb-systemd-invoke stop ${unit}; fi
`,
    postrm: `#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
case "$1" in
  remove)
    echo "${packageName}: /var/lib/${user} and ${conf} stay. dpkg --purge ${packageName} deletes them."
    ;;
  purge)
    echo "${packageName}: deleting /var/lib/${user} (${holds})${[conf, ...purges].map((path) => `, ${path}`).join('')}."
    rm -rf ${gone.join(' ')}
    rmdir --ignore-fail-on-non-empty /etc/rookery 2> /dev/null || true
    deb-systemd-helper purge ${unit} > /dev/null || true
    ;;
esac
`,
  }
}
