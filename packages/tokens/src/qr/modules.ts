// What a QR code is drawn of.

/** Rows from top to bottom, a byte a module: 1 is dark. The quiet zone around them is left out. */
export type Modules = readonly Uint8Array[]

/** Light modules around the symbol (ISO/IEC 18004, 6.3.8). */
export const QUIET_ZONE = 4
