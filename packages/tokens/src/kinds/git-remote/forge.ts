import { baseUrl } from '../../channels/http/token-path.ts'
import { forge, textFile } from '../../forge.ts'
import { deployUserOf } from './deploy-user.ts'
import { descriptor } from './descriptor.ts'

export default forge(descriptor, {
  file({ address, settings: { git_repository: repository }, derive }) {
    const { username, password } = deployUserOf(derive)
    const url = new URL(`${baseUrl(address)}/${repository}.git`)
    url.username = username
    url.password = password
    // As `git clone` writes it.
    const lines = [
      '[core]',
      '\trepositoryformatversion = 0',
      '\tfilemode = true',
      '\tbare = false',
      '\tlogallrefupdates = true',
      '[remote "origin"]',
      `\turl = ${url.href}`,
      '\tfetch = +refs/heads/*:refs/remotes/origin/*',
      '[branch "main"]',
      '\tremote = origin',
      '\tmerge = refs/heads/main',
    ]
    return textFile('config', lines)
  },
})
