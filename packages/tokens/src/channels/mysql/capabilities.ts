// Capability flags of client and server (the manual's "Capabilities Flags").

export const CONNECT_WITH_DB = 0x8
export const PROTOCOL_41 = 0x200
export const SECURE_CONNECTION = 0x8000
export const PLUGIN_AUTH = 0x8_0000
export const CONNECT_ATTRS = 0x10_0000
export const PLUGIN_AUTH_LENENC_DATA = 0x20_0000
