// Hides what differs between two connections to one server: the challenge.

const BEHIND_VERSION_3_3 = /^(RFB 003\.008\n\0\0\0\x02)[^]{16}/
/** Not the versions and sub-types of VeNCrypt. */
const BEHIND_LIST = /^(RFB 003\.008\n\x02\x13\x02)(?!\0\x02(?:$|\xff|\0))[^]{16}/
const BEHIND_SUB_TYPES =
  /^(RFB 003\.008\n\x02\x13\x02\0\x02\0\x02\0\0\0\x02\0\0\x01\x02)(?!\0\0\0\x01)[^]{16}/

export const mask = (text: string): string =>
  [BEHIND_VERSION_3_3, BEHIND_LIST, BEHIND_SUB_TYPES].reduce(
    (shown, place) => shown.replace(place, `$1${'C'.repeat(16)}`),
    text,
  )
