// The program that the page of kinds signs: it ends at once. Its bytes are made here, so that nobody has to trust a binary.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readPeImage } from '../../authenticode/pe-image.ts'

const SECTION_BYTES = 512
const IMAGE_BASE = 0x1_4000_0000n
/** `xor eax, eax; ret`: the exit code is 0. */
const CODE = Buffer.from('31c0c3', 'hex')

/**
 * A PE32+ program for a console (PE Format, Microsoft):
 *
 *      0          64            88                328        512
 *     ┌──────────┬─────────────┬─────────────────┬──────────┬───────┐
 *     │ DOS head │ COFF header │ optional header │ sections │ .text │
 *     └──────────┴─────────────┴─────────────────┴──────────┴───────┘
 */
function sampleProgram(): Buffer {
  const bytes = Buffer.alloc(512 + SECTION_BYTES)
  const u16 = (at: number, value: number): number => bytes.writeUInt16LE(value, at)
  const u32 = (at: number, value: number): number => bytes.writeUInt32LE(value, at)
  bytes.write('MZ', 0, 'latin1')
  u32(60, 64)
  bytes.write('PE\0\0', 64, 'latin1')
  u16(68, 0x8664) // x64
  u16(70, 1) // sections
  u16(84, 240) // bytes of the optional header
  u16(86, 0x22) // executable, addresses beyond 2 GiB
  u16(88, 0x20b) // PE32+
  u32(92, SECTION_BYTES) // code
  u32(104, 0x1000) // entry point
  u32(108, 0x1000) // base of the code
  bytes.writeBigUInt64LE(IMAGE_BASE, 112)
  u32(120, 0x1000) // alignment in memory
  u32(124, 512) // alignment in the file
  u16(128, 6) // version of Windows
  u16(136, 6) // version of the subsystem
  u32(144, 0x2000) // size in memory
  u32(148, 512) // size of the headers
  u16(156, 3) // console
  u16(158, 0x100) // data is not executable
  bytes.writeBigUInt64LE(0x10_0000n, 160) // stack
  bytes.writeBigUInt64LE(0x1000n, 168)
  bytes.writeBigUInt64LE(0x10_0000n, 176) // heap
  bytes.writeBigUInt64LE(0x1000n, 184)
  u32(196, 16) // directories, all of them empty
  bytes.write('.text', 328, 'latin1')
  u32(336, CODE.length)
  u32(340, 0x1000)
  u32(344, SECTION_BYTES)
  u32(348, 512)
  u32(364, 0x6000_0020) // code, may be read and run
  CODE.copy(bytes, 512)
  return bytes
}

it('the program that the page signs has these bytes, and no signature', () => {
  const file = readFileSync(new URL('golden/setup.exe', import.meta.url))
  expect(file).toEqual(sampleProgram())
  expect(() => readPeImage(file)).not.toThrow()
})
