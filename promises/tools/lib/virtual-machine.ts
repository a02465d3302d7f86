// A machine without KVM, of 256 MB, in qemu. Its network is qemu's own: 10.0.2.2 is the loopback of this machine.
import { spawn } from 'node:child_process'
import { run } from './command.ts'

export interface VirtualMachine {
  readonly startedAt: number
  /** CPU seconds so far, of qemu. */
  cpuSeconds(): Promise<number>
  /** As if the power went. */
  cut(): Promise<void>
}

/** `disk` is written, another one is only read. */
export function powerOn(
  memoryMb: number,
  disk: string,
  seed?: { readonly file: string; readonly format: 'vmdk' | 'vpc' },
): VirtualMachine {
  const startedAt = performance.now()
  const drives = [
    ['-drive', `file=${disk},format=qcow2,if=virtio`],
    ...(seed ? [['-drive', `file=${seed.file},format=${seed.format},if=virtio,readonly=on`]] : []),
  ]
  const child = spawn(
    'qemu-system-x86_64',
    [
      ...['-accel', 'tcg,thread=multi', '-machine', 'pc', '-smp', '2', '-m', String(memoryMb)],
      ...['-display', 'none', '-serial', 'none', '-monitor', 'none', '-nic', 'user,model=virtio-net-pci'],
      ...drives.flat(),
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    startedAt,
    async cpuSeconds() {
      const { stdout } = await run('ps', ['-o', 'cputimes=', '-p', String(child.pid)])
      return Number(stdout)
    },
    cut() {
      child.kill('SIGKILL')
      return gone
    },
  }
}
