// The release, as every part of the house says it.
export const VERSION = '0.1.0'
