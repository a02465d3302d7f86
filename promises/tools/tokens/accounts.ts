// Kinds that are accounts, keys and apps.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ADMIN } from '../../rig/scenes/console.ts'
import { run } from '../lib/command.ts'
import { identityProvider } from '../lib/identity-provider.ts'
import { unacknowledged } from '../lib/incidents.ts'
import { download, type FiringDeps, type Planted, type TokenProof } from './token-proof.ts'

/** Posts what a browser would post; answers the status. Each browser is another visitor. */
async function postAssertion(
  { url }: Planted,
  { folder }: FiringDeps,
  xml: string,
  browser: string,
): Promise<string> {
  const file = join(folder, 'assertion.base64')
  writeFileSync(file, Buffer.from(xml).toString('base64'))
  const form = ['--data-urlencode', `SAMLResponse@${file}`, '--data', 'RelayState=']
  const { stdout } = await run('curl', ['-s', '-A', browser, '-o', '-', '-w', '%{http_code}', ...form, url])
  assert.match(stdout, /your account has no access/)
  return stdout.slice(-3)
}

async function saveMetadata({ id }: Planted, { console }: FiringDeps, metadata: string): Promise<string> {
  const api = `http://127.0.0.1:${console.port}/api/v1/decoytokens/idp-app`
  const key = ['-s', '-H', `X-Auth-Token: ${ADMIN}`, '-F', `decoytoken=${id}`]
  await run('curl', [...key, `${api}/validation/enable`])
  const { stdout } = await run('curl', [...key, '-F', `metadata=@${metadata}`, `${api}/metadata/save`])
  return (JSON.parse(stdout) as { metadata_entity_id: string }).metadata_entity_id
}

export const accounts: readonly TokenProof[] = [
  {
    kind: 'idp-app',
    program: 'xmlsec1, curl',
    needs: ['xmlsec1', 'openssl', 'curl'],
    settings: { idp_app_type: 'vpn' },
    logtype: '17030',
    async fire(planted, deps) {
      const provider = await identityProvider(deps.folder)
      const spMetadata = await download(planted, deps, 'sp-metadata.xml')
      const { stdout: acsUrl } = await run('sed', ['-n', 's/.* Location="\\([^"]*\\)".*/\\1/p', spMetadata])
      assert.equal(acsUrl.trim(), planted.url)
      assert.equal(await saveMetadata(planted, deps, provider.metadata), provider.entityId)
      const signed = await provider.assertionFor(planted.url, 'eve@home.example')
      const expired = await provider.assertionFor(planted.url, 'old@home.example', -30)
      const unsigned = signed.replace(/<ds:Signature[^]*<\/ds:Signature>/, '')
      const [assertion = ''] = /<saml:Assertion[^]*<\/saml:Assertion>/.exec(signed) ?? []
      const evil = assertion.replace(/ID="_a\d+"/, 'ID="_evil"').replace('eve@', 'adam@')
      const [quiet, doctype] = [
        [unsigned, signed.replace('eve@', 'adam@'), expired, signed.replace(assertion, evil + assertion)],
        signed.replace('<samlp:Response', '<!DOCTYPE x><samlp:Response'),
      ]
      for (const [n, xml] of [...quiet, doctype].entries())
        assert.equal(await postAssertion(planted, deps, xml, `browser ${n}`), '403')
      const early = (await unacknowledged(deps.console)).filter(
        ({ description }) => description.node_id === planted.id,
      )
      assert.deepEqual(early, [], 'an assertion fired that nothing proves')
      await postAssertion(planted, deps, signed, 'thief')
      return { identity: 'eve@home.example', issuer: provider.entityId, validated: true, useragent: 'thief' }
    },
  },
]
