// vsftpd 3.0.3 with Debian 12's configuration: its limits, delays and texts.
import type { Crowd } from '../../../../session/crowd.ts'

/** vsftpd's `idle_session_timeout`: for a whole line, however many bytes of it have come. */
export const COMMAND_MS = 300_000
/** vsftpd's `max_login_fails`. */
export const MAX_LOGIN_FAILURES = 3
/** vsftpd's `delay_failed_login`. */
export const OWN_DELAY_MS = 1_000
/** Linux-PAM's delay; chance takes or adds up to a half, most often little (pam_fail_delay(3)). */
export const PAM_DELAY_MS = 2_000
export const MAX_CREDENTIAL_BYTES = 128

export const PLEASE_LOGIN = '530 Please login with USER and PASS.\r\n'
export const FEATURES = `211-Features:\r\n${['EPRT', 'EPSV', 'MDTM', 'PASV', 'REST STREAM', 'SIZE', 'TVFS'].map((name) => ` ${name}\r\n`).join('')}211 End\r\n`

/** vsftpd's `max_per_ip` unless it is set (vsftpd.conf(5)). */
const MAX_PER_IP = 50

export const crowd: Crowd = {
  refusal: ({ open }) =>
    open < MAX_PER_IP ? undefined : '421 There are too many connections from your internet address.\r\n',
  full: '421 There are too many connected users, please try later.\r\n',
}
