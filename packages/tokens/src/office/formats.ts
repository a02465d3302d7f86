// The files of Word and Excel: the content type of a file, and that of its main part, by which programs know it.

const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml'
const EXCEL = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const MACRO_WORD = 'application/vnd.ms-word'
const MACRO_EXCEL = 'application/vnd.ms-excel'

interface OfficeFormat {
  readonly file: string
  readonly mainPart: string
}

export const OFFICE_FORMATS = {
  docx: { file: `${WORD}.document`, mainPart: `${WORD}.document.main+xml` },
  docm: {
    file: `${MACRO_WORD}.document.macroEnabled.12`,
    mainPart: `${MACRO_WORD}.document.macroEnabled.main+xml`,
  },
  dotx: { file: `${WORD}.template`, mainPart: `${WORD}.template.main+xml` },
  dotm: {
    file: `${MACRO_WORD}.template.macroEnabled.12`,
    mainPart: `${MACRO_WORD}.template.macroEnabledTemplate.main+xml`,
  },
  xlsx: { file: `${EXCEL}.sheet`, mainPart: `${EXCEL}.sheet.main+xml` },
  xlsm: {
    file: `${MACRO_EXCEL}.sheet.macroEnabled.12`,
    mainPart: `${MACRO_EXCEL}.sheet.macroEnabled.main+xml`,
  },
  xltx: { file: `${EXCEL}.template`, mainPart: `${EXCEL}.template.main+xml` },
  xltm: {
    file: `${MACRO_EXCEL}.template.macroEnabled.12`,
    mainPart: `${MACRO_EXCEL}.template.macroEnabled.main+xml`,
  },
} as const satisfies Readonly<Record<string, OfficeFormat>>

export type OfficeFormatName = keyof typeof OFFICE_FORMATS

export const WORD_FORMATS = ['docx', 'docm', 'dotx', 'dotm'] as const
export const EXCEL_FORMATS = ['xlsx', 'xlsm', 'xltx', 'xltm'] as const
