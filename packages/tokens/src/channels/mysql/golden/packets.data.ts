// Packets of MariaDB 10.11.19 (Debian 12, started with --skip-ssl --skip-name-resolve) and its client, recorded between them.

const bytes = (...hex: readonly string[]): Buffer => Buffer.from(hex.join(''), 'hex')

export const serverGreeting = {
  connectionId: 3,
  bytes: bytes('640000000a352e352e352d31302e31312e31392d4d6172696144422d302b646562313275310003000000702a7d592753', '4f7200fef7080200ff81150000000000001d000000715d604b366b3a7b24393640006d7973716c5f6e61746976655f70', '617373776f726400'),
}

/** `mariadb -u abcdefghijklmnopqrstuvwxy.de_DE.db1 -psecret -Dcrm` */
export const clientLogin = {
  bytes: bytes('f30000018ca2bf000000100021000000000000000000000000000000000000001d0000006162636465666768696a6b6c', '6d6e6f707172737475767778792e64655f44452e64623100144d8a694e359d7c81404c462452822eebb6ff3a0963726d', '006d7973716c5f6e61746976655f70617373776f7264007f035f6f73054c696e75780c5f636c69656e745f6e616d650a', '6c69626d617269616462045f7069640532393637330f5f636c69656e745f76657273696f6e06332e332e3230095f706c', '6174666f726d067838365f36340c70726f6772616d5f6e616d65056d7973716c0c5f7365727665725f686f7374093132', '372e302e302e31'),
  login: {
    user: 'abcdefghijklmnopqrstuvwxy.de_DE.db1',
    database: 'crm',
    hasPassword: true,
    clientVersion: '3.3.20',
    os: 'Linux',
    program: 'mysql',
  },
}

/** What the server answers to that. */
export const serverError = {
  srcHost: '127.0.0.1',
  bytes: bytes('67000002ff15042332383030304163636573732064656e69656420666f72207573657220276162636465666768696a6b', '6c6d6e6f707172737475767778792e64655f44452e6462312740273132372e302e302e312720287573696e6720706173', '73776f72643a2059455329'),
}

/** What it answers to a login by `caching_sha2_password`: AuthSwitchRequest; and to replies of 20, 0 and 5 bytes, and out of order. */
export const authSwitch = {
  challenge: '01EHw?uPpatGD_2z1$^1',
  bytes: bytes('2c000002fe6d7973716c5f6e61746976655f70617373776f7264003031454877', '3f7550706174', '47445f327a31245e3100'),
}
export const badReply = bytes('16000004ff13042330385330314261642068616e647368616b65')
export const replyOutOfOrder = bytes('21000003ff8404233038533031476f74207061636b657473206f7574206f66206f72646572')

/** What it answers to a client before 4.1. */
export const tooOld = Buffer.from(
  'i\0\0\x02\xff\xe3\x04Client does not support authentication protocol requested by server; consider upgrading MariaDB client',
  'latin1',
)

/** What it answers to a packet whose number is not the next one, and to one without a user. */
export const outOfOrder = bytes('21000001ff8404233038533031476f74207061636b657473206f7574206f66206f72646572')
export const badHandshake = bytes('16000002ff13042330385330314261642068616e647368616b65')
