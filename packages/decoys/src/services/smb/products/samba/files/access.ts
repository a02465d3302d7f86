// The rights that the modes 644 and 755 leave to everyone.

/** What everyone may do with a file, and with a folder. */
export const FILE_ACCESS = 0x00120089
export const FOLDER_ACCESS = 0x001200a9
