// The file system of an image: the smallest Debian, a kernel, and the Bird's package.
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DebianSources } from './apt.ts'
import { ROOT_BYTES } from './disk.ts'
import { runProgram } from './run-program.ts'
import { DEBIAN_PACKAGES, ENABLED, MASKED, ROOT_LABEL } from './system-files.ts'

export interface SystemOptions {
  /** Has `bird.deb` and `system.tar`; gets `root.img`, `vmlinuz` and `initrd`. */
  readonly folder: string
  /** What runs a command as root. */
  readonly wrap: readonly string[]
  readonly sources: DebianSources
  /** Of apt. */
  readonly options: readonly string[]
  /** An http(s) URL without quotes; empty for none. */
  readonly consoleUrl: string
}

/** Left out of every package. */
const EXCLUDED = ['/usr/share/doc/*', '/usr/share/man/*', '/usr/share/locale/*', '/usr/share/info/*']

export async function makeSystem({
  folder,
  wrap,
  sources,
  options,
  consoleUrl,
}: SystemOptions): Promise<void> {
  const file = (name: string): string => join(folder, name)
  writeFileSync(file('sources.list'), `${sources.lines.join('\n')}\n`)
  writeFileSync(file('apt.conf'), [...options, 'APT::Install-Recommends "false";', ''].join('\n'))
  writeFileSync(file('finish'), finishScript(file('bird.deb'), consoleUrl))
  writeFileSync(file('make'), makeScript(folder))
  for (const script of ['finish', 'make']) chmodSync(file(script), 0o755)
  const unpack = `tar-in ${file('system.tar')} /`
  await runProgram(
    [
      ...wrap,
      file('make'),
      ...['--mode=root', '--variant=apt', '--format=directory', `--include=${DEBIAN_PACKAGES.join(',')}`],
      `--aptopt=${file('apt.conf')}`,
      ...['force-unsafe-io', ...EXCLUDED.map((path) => `path-exclude=${path}`)].map(
        (it) => `--dpkgopt=${it}`,
      ),
      // The first time for the initramfs, which is made with the kernel's package.
      `--essential-hook=${unpack}`,
      `--customize-hook=${unpack}`,
      `--customize-hook=${file('finish')}`,
      sources.codename,
      file('root'),
      file('sources.list'),
    ],
    { TMPDIR: folder, DEBIAN_FRONTEND: 'noninteractive' },
  )
}

/** `$1` is the root of the new system. Nothing of the machine that builds it stays: neither its mirror nor its name. */
const finishScript = (deb: string, consoleUrl: string): string => `#!/bin/sh
set -e
cp ${deb} "$1/tmp/bird.deb"
chroot "$1" dpkg -i /tmp/bird.deb
rm "$1/tmp/bird.deb"
${consoleUrl === '' ? '' : `sed -i 's|^ROOKERY_CONSOLE=.*|ROOKERY_CONSOLE=${consoleUrl}|' "$1/etc/rookery/bird.conf"`}
chroot "$1" systemctl enable ${ENABLED.join(' ')}
chroot "$1" systemctl mask ${MASKED.join(' ')}
ln -sf ../run/systemd/resolve/resolv.conf "$1/etc/resolv.conf"
: > "$1/etc/machine-id"
rm -f "$1/etc/apt/sources.list" "$1"/etc/apt/sources.list.d/* "$1/etc/apt/apt.conf.d/99mmdebstrap" "$1/etc/dpkg/dpkg.cfg.d/99mmdebstrap"
`

/** As one command, since what a namespace of users made belongs to others outside. */
const makeScript = (folder: string): string => `#!/bin/sh
set -e
cd ${folder}
trap 'rm -rf root' EXIT
mmdebstrap "$@"
mv root/boot/vmlinuz-* vmlinuz
mv root/boot/initrd.img-* initrd
rm -rf root/boot/* root/vmlinuz* root/initrd.img* root/var/log/apt root/var/log/*.log root/var/cache/ldconfig/*
mke2fs -q -t ext4 -L ${ROOT_LABEL} -d root root.img ${ROOT_BYTES / 1024}k
`
