// What a QR code is drawn of.

/** Rows from top to bottom, a byte a module: 1 is dark. The quiet zone around them is left out. */
export type Modules = readonly Uint8Array[]

/** A symbol under all masks at once. */
export interface MaskedModules {
  /** Modules of a row, and rows. */
  readonly size: number
  /** Row after row, a byte a module: bit n is set where the module is dark under mask n. */
  readonly cells: Uint8Array
}

export const MASK_COUNT = 8

/** Light modules around the symbol (ISO/IEC 18004, 6.3.8). */
export const QUIET_ZONE = 4
