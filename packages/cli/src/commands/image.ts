// `rookery image build` and `add`: machines on which a Bird runs, for VMware and Hyper-V.
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { VERSION } from '@rookery/bird/version.ts'
import { openDataFolder } from '@rookery/console/data-folder.ts'
import { addImage } from '@rookery/console/flows/images/add-image.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import { KEYS_FILE } from '@rookery/link/release/signature.ts'
import { addOptions, configOf } from '../flags.ts'
import { buildImages } from '../image/build-images.ts'
import { findClone } from '../package/clone-files.ts'
import { readReleaseKeys } from '../release/read-keys.ts'

export function addImageCommand(program: Command): void {
  const image = program.command('image').description('images of machines on which a Bird runs')
  image
    .command('build')
    .description(
      'build the images of this release, in a clone on Debian 12 or newer, by root or in a namespace of users',
    )
    .requiredOption('--out <folder>', 'the folder that gets the images')
    .option('--console <url>', 'address of the console; without it a seed disk must say it')
    .option(
      '--release-keys <path>',
      `${KEYS_FILE} of \`rookery release keygen\`: whose updates the Birds take`,
    )
    .action(
      async ({
        out,
        console: url = '',
        releaseKeys,
      }: Record<string, string | undefined> & { out: string }) => {
        const images = await buildImages({
          clone: findClone(),
          version: VERSION,
          out: resolve(out),
          consoleUrl: checkUrl(url),
          keys: readReleaseKeys(releaseKeys),
          say: (line) => process.stderr.write(`${line}\n`),
        })
        process.stdout.write(images.map((path) => `${path}\n`).join(''))
      },
    )
  const add = image
    .command('add')
    .description('put an image into the console, for vmadecoy/download and vmbdecoy/download')
    .argument('<file>', 'what `rookery image build` made')
  addOptions(add, ['ROOKERY_DATA_DIR']).action((file: string, flags: Record<string, unknown>) => {
    const { images } = openDataFolder(configOf(flags).ROOKERY_DATA_DIR)
    process.stdout.write(`${addImage(file, images)}\n`)
  })
}

/** It becomes a line of a file of options, as it is. */
function checkUrl(url: string): string {
  if (url === '' || (/^https?:\/\/[\w.:/[\]-]+$/.test(url) && URL.canParse(url))) return url
  throw new Fault(
    'bad-input',
    `--console is ${JSON.stringify(url)}; it must be an http(s) URL, such as https://console.example.org.`,
  )
}
