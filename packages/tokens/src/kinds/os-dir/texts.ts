// Files of text that the Explorer reads. `path` is where the token is met.

/** How a folder looks: UTF-16LE with a byte order mark, and lines that end as on Windows. */
export const desktopIni = (path: string): Buffer =>
  Buffer.from(`\ufeff[.ShellClassInfo]\r\nIconResource=${path},0\r\n`, 'utf16le')

/** A link to a web page. The Explorer asks for its icon when it shows it. */
export const internetShortcut = (url: string, path: string): Buffer =>
  Buffer.from(`[InternetShortcut]\r\nURL=${url}\r\nIconFile=${path}\r\nIconIndex=0\r\n`)

/** A library of documents with one folder (Microsoft's library schema). `name` and `path` need no escape. */
export const library = (name: string, path: string): Buffer =>
  Buffer.from(
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<libraryDescription xmlns="http://schemas.microsoft.com/windows/2009/library">',
      `  <name>${name}</name>`,
      '  <version>6</version>',
      '  <isLibraryPinned>true</isLibraryPinned>',
      '  <iconReference>imageres.dll,-1003</iconReference>',
      '  <templateInfo>',
      `    <folderType>${DOCUMENTS}</folderType>`,
      '  </templateInfo>',
      '  <searchConnectorDescriptionList>',
      '    <searchConnectorDescription>',
      '      <isDefaultSaveLocation>true</isDefaultSaveLocation>',
      '      <isSupported>false</isSupported>',
      '      <simpleLocation>',
      `        <url>${path}</url>`,
      '      </simpleLocation>',
      '    </searchConnectorDescription>',
      '  </searchConnectorDescriptionList>',
      '</libraryDescription>',
      '',
    ].join('\r\n'),
  )

/** The folder type of documents. */
const DOCUMENTS = '{7d49d726-3c21-4f05-99aa-fdc2c9474656}'
