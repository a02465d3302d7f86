// The registry keys by which Windows itself runs a command when a program ends (silent process exit monitoring).
import { invalidParameter } from '@rookery/kernel/fault.ts'

const OPTIONS = 'HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion'
/** FLG_MONITOR_SILENT_PROCESS_EXIT. */
const GLOBAL_FLAG = 'dword:00000200'
/** LAUNCH_MONITORPROCESS. */
const REPORTING_MODE = 'dword:00000001'

/** The look-up of their end starts them again, without an end. */
const OF_THE_LOOK_UP = ['powershell.exe', 'conhost.exe']

const imageOf = (process: string): string => (/\.exe$/i.test(process) ? process : `${process}.exe`)

/** Throws a `bad-input` for what names no file, for a name twice, and for a program that the look-up itself runs. */
export function checkProcesses(processes: readonly string[]): void {
  const unnamed = processes.find((it) => !/^[A-Za-z0-9_]/.test(it) || /\.$/.test(it))
  if (unnamed !== undefined)
    throw invalidParameter(
      'process_name',
      `must be names of programs, which begin with a letter, a digit or _ and end in no dot, not ${unnamed}`,
    )
  const images = processes.map((it) => imageOf(it).toLowerCase())
  const repeated = processes.find((_, index) => images.indexOf(images[index] ?? '') < index)
  if (repeated !== undefined)
    throw invalidParameter('process_name', `must name each program once, not ${repeated} again`)
  const wrong = processes.find((it) => OF_THE_LOOK_UP.includes(imageOf(it).toLowerCase()))
  if (wrong === undefined) return
  throw invalidParameter(
    'process_name',
    `must be programs that the look-up does not run itself, not ${wrong}`,
  )
}

/** A .reg file for all of the programs, with line ends of Windows. Names and host are validated: none needs an escape. */
export function registryFile(processes: readonly string[], hostname: string): string {
  const keys = processes.flatMap((process, index) => {
    const image = imageOf(process)
    const id = processes.length > 1 ? `+'-${index}'` : ''
    return [
      `[${OPTIONS}\\Image File Execution Options\\${image}]`,
      `"GlobalFlag"=${GLOBAL_FLAG}`,
      '',
      `[${OPTIONS}\\SilentProcessExit\\${image}]`,
      `"ReportingMode"=${REPORTING_MODE}`,
      `"MonitorProcess"="${escaped(lookUpCommand(hostname, id))}"`,
      '',
    ]
  })
  return ['Windows Registry Editor Version 5.00', '', ...keys, ''].join('\r\n')
}

function lookUpCommand(hostname: string, idEnd: string): string {
  const label = (prefix: string, variable: string): string =>
    `(('${prefix}'+$env:${variable})-replace'[^A-Za-z0-9-]','')`
  const script = [
    `$c=${label('c', 'COMPUTERNAME')}`,
    `$u=${label('u', 'USERNAME')}`,
    `$i=-join(1..8|ForEach-Object{[char](Get-Random -Minimum 97 -Maximum 123)})${idEnd}`,
    `Resolve-DnsName -Type A ($c.Substring(0,[Math]::Min(63,$c.Length))+'.UN.'+$u.Substring(0,[Math]::Min(63,$u.Length))+'.CMD.'+$i+'.${hostname}')`,
  ].join(';')
  return `powershell.exe -NoProfile -NonInteractive -WindowStyle Hidden -Command "${script}"`
}

/** In a value of a .reg file. */
const escaped = (text: string): string => text.replace(/["\\]/g, '\\$&')
