// The types and the lint of the whole clone on one program: the rules ask for types that the check has worked out.
// Run: node tools/types-and-lint.ts [--only [file …]], which lints these files alone
import { relative } from 'node:path'
import { ESLint } from 'eslint'
import ts from 'typescript'
import { root } from './clone.mjs'

function openProgram(): ts.Program {
  const { config, error } = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile)
  if (error) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'))
  const { fileNames, options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  return ts.createProgram({ rootNames: fileNames, options, configFileParsingDiagnostics: errors })
}

const program = openProgram()
const diagnostics = ts.getPreEmitDiagnostics(program)
const host = {
  getCanonicalFileName: (name: string) => name,
  getCurrentDirectory: () => root,
  getNewLine: () => '\n',
}
if (diagnostics.length > 0) console.error(ts.formatDiagnostics(diagnostics, host))

const [flag, ...only] = process.argv.slice(2)
const files = flag === '--only' ? only : ['.']
const eslint = new ESLint({
  cwd: root,
  warnIgnored: false,
  overrideConfig: {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { project: null, programs: [program] } },
  },
})
const results = files.length > 0 ? await eslint.lintFiles(files) : []
const complaints = results.flatMap(({ filePath, messages }) =>
  messages.map(({ line, message, ruleId }) => `${relative(root, filePath)}:${line}: ${message} (${ruleId})`),
)
for (const complaint of complaints) console.error(complaint)
console.log(
  `${program.getRootFileNames().length} files checked, ${diagnostics.length + complaints.length} findings.`,
)
process.exitCode = diagnostics.length + complaints.length > 0 ? 1 : 0
