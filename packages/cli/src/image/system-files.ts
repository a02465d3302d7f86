// What the machine of an image has besides Debian and the Bird's package.
import { SEED_BYTES, SEED_MARK } from '@rookery/console/flows/images/seed-disk.ts'
import type { PackedFile } from '../package/tar.ts'

/** Of Debian, besides its smallest system. */
export const DEBIAN_PACKAGES = [
  'linux-image-cloud-amd64',
  'initramfs-tools',
  'zstd',
  'systemd-sysv',
  'systemd-resolved',
  'udev',
  'kmod',
  'libstdc++6',
]

/** The label of the file system with the system. */
export const ROOT_LABEL = 'bird'

/** The disks that hypervisors show. With every driver the start would need twice the memory. */
const DRIVERS = [
  ...['ata_piix', 'sd_mod', 'vmw_pvscsi', 'hv_vmbus', 'hv_storvsc'],
  ...['virtio_pci', 'virtio_blk', 'virtio_scsi', 'ext4'],
]

/** Of services that nothing here needs, or that would ask a machine elsewhere. */
export const MASKED = [
  ...['getty@tty1.service', 'serial-getty@ttyS0.service', 'apt-daily.timer', 'apt-daily-upgrade.timer'],
  ...['dpkg-db-backup.timer', 'e2scrub_all.timer', 'e2scrub_reap.service', 'fstrim.timer'],
]

export const ENABLED = ['systemd-networkd.service', 'systemd-resolved.service', 'rookery-seed.service']

const CONF = '/etc/rookery/bird.conf'
const SEEDED = '/etc/rookery/seeded'

/** The files, of root. */
export const systemFiles = (): PackedFile[] => [
  text('etc/hostname', 'debian\n'),
  text('etc/fstab', `LABEL=${ROOT_LABEL} / ext4 noatime,errors=remount-ro 0 1\n`),
  text('etc/initramfs-tools/conf.d/rookery', 'MODULES=list\nCOMPRESS=zstd\n'),
  text('etc/initramfs-tools/hooks/rookery', INITRAMFS_HOOK, 0o755),
  text('etc/systemd/network/10-rookery.network', NETWORK),
  text('etc/systemd/resolved.conf.d/rookery.conf', RESOLVED),
  text('etc/systemd/journald.conf.d/rookery.conf', '[Journal]\nSystemMaxUse=64M\n'),
  text('etc/systemd/system/rookery-seed.service', SEED_UNIT),
  text('etc/systemd/system/rookery-bird.service.d/image.conf', BIRD_UNIT),
  text('usr/lib/rookery-bird/read-seed', READ_SEED, 0o755),
]

const text = (path: string, content: string, mode = 0o644): PackedFile => ({
  path,
  bytes: Buffer.from(content),
  mode,
})

const INITRAMFS_HOOK = `#!/bin/sh
if [ "$1" = prereqs ]; then exit 0; fi
. /usr/share/initramfs-tools/hook-functions
manual_add_modules ${DRIVERS.join(' ')}
`

/** A decoy must not say by its network what it is: it names itself to nobody. */
const NETWORK = `[Match]
Type=ether

[Network]
DHCP=yes
LLMNR=no
MulticastDNS=no

[DHCPv4]
SendHostname=no
UseHostname=no

[DHCPv6]
SendHostname=no
UseHostname=no
`

/** Names are asked of the servers that DHCP tells; nothing listens for it. */
const RESOLVED = `[Resolve]
DNSStubListener=no
LLMNR=no
MulticastDNS=no
`

const SEED_UNIT = `[Unit]
Description=Seed disk of the Rookery Bird
Before=rookery-bird.service
ConditionPathExists=!${SEEDED}

[Service]
Type=oneshot
ExecStart=/usr/lib/rookery-bird/read-seed
StandardOutput=journal+console

[Install]
WantedBy=multi-user.target
`

/** Nobody signs in to the machine: the words to compare are on its screen. */
const BIRD_UNIT = `[Service]
ExecCondition=/usr/bin/grep -q ^ROOKERY_CONSOLE=. ${CONF}
StandardOutput=journal+console
`

/**
 * Takes the first seed disk that there is, and never another one: once the Bird is commissioned, its key is what counts. Lines
 * are copied as they are, and no shell reads them.
 */
const READ_SEED = `#!/bin/sh
set -eu
udevadm settle --timeout=20 || true
for path in /sys/class/block/*; do
  disk=/dev/\${path##*/}
  case $disk in /dev/fd* | /dev/sr* | /dev/loop* | /dev/ram*) continue ;; esac
  if [ "$(head -c ${SEED_MARK.length} "$disk" 2> /dev/null | tr -d '\\0')" != '${SEED_MARK}' ]; then continue; fi
  umask 027
  {
    grep -v -e '^ROOKERY_CONSOLE=' -e '^ROOKERY_ENROL=' ${CONF}
    head -c ${SEED_BYTES} "$disk" | tr -d '\\0' | grep -e '^ROOKERY_CONSOLE=http' -e '^ROOKERY_ENROL=RK-'
  } > ${CONF}.new
  chown root:rookery-bird ${CONF}.new
  mv ${CONF}.new ${CONF}
  sync ${CONF}
  touch ${SEEDED}
  echo "The seed disk $disk says: $(grep '^ROOKERY_CONSOLE=' ${CONF})"
  exit 0
done
if ! grep -q '^ROOKERY_CONSOLE=.' ${CONF}; then
  echo 'This machine knows no console: attach a seed disk (vmadecoy/downloadseed, vmbdecoy/downloadseed), and start it again.'
fi
`
