import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { zipEntry } from '@rookery/kernel/zip/entry.ts'
import { writeZip } from '@rookery/kernel/zip/write.ts'
import { ownFolder } from '../../../test/own-folder.ts'
import { addImage } from './add-image.ts'

const zip = (name: string): Buffer => writeZip([zipEntry(name, 'a machine')])

function file(name: string, bytes: Uint8Array): string {
  const path = join(ownFolder(), name)
  writeFileSync(path, bytes)
  return path
}

describe('rookery image add', () => {
  it('puts an image where nobody but the console reads it, in place of an older build', () => {
    const folder = join(ownFolder(), 'images')
    const [older, newer] = ['rookery-bird.vmx', 'rookery-bird-2.vmx'].map(zip) as [Buffer, Buffer]
    addImage(file('rookery-bird-3.0.0.vmx.zip', older), folder)
    const target = addImage(file('rookery-bird-3.0.0.vmx.zip', newer), folder)
    expect(readdirSync(folder)).toEqual(['rookery-bird-3.0.0.vmx.zip'])
    expect(readFileSync(target).equals(newer)).toBe(true)
    expect([statSync(folder).mode & 0o777, statSync(target).mode & 0o777]).toEqual([0o700, 0o600])
  })

  it.each([
    ['bird.zip', zip('rookery-bird.vmx'), /is not called as an image is: rookery-bird-<version> and \.ova/],
    ['rookery-bird-3.0.0.vhdx.zip', zip('rookery-bird.vmx'), /must be a \.vhdx file, not "rookery-bird.vmx"/],
    ['rookery-bird-3.0.0.ova', zip('rookery-bird.ovf'), /its first entry must be a \.ovf file\./],
    ['rookery-bird-3.0.0.vmx.zip', Buffer.from('PK'), /its first entry must be a \.vmx file\./],
  ])('refuses %s that is something else, and says why', (name, bytes, reason) => {
    const folder = join(ownFolder(), 'images')
    expect(() => addImage(file(name, bytes), folder)).toThrow(reason)
    expect(existsSync(folder)).toBe(false)
  })
})
