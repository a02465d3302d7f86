/** vsftpd says nothing that changes. */
export const mask = (text: string): string => text
