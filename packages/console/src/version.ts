// The release, as every part of the product says it.
export const VERSION = '0.1.0'
