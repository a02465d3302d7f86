// Kinds that an account at a service issues: the service is a fake of ours, the program that uses what it issued is the
// service's own SDK.
import assert from 'node:assert/strict'
import { WebClient } from '@slack/web-api'
import Stripe from 'stripe'
import { openFakeSlack, type FakeSlack } from '@rookery/tokens/test/fakes/slack.ts'
import { openFakeStripe, type FakeStripe } from '@rookery/tokens/test/fakes/stripe.ts'
import { run } from '../lib/command.ts'
import type { FiringDeps, TokenProof } from './token-proof.ts'

export interface ProviderAccounts {
  /** What configures the console to use them. */
  readonly env: Readonly<Record<string, string>>
  readonly firings: readonly TokenProof[]
  close(): Promise<void>
}

const WEBHOOK_SECRET = 'whsec_of_the_proof'
const ISSUER_SECRET = 'secret-of-the-issuer'
/** The console reads the access logs of Slack once a minute. */
const POLL_MS = 75_000

/** Opens the fakes, on loopback. */
export async function openProviderAccounts(): Promise<ProviderAccounts> {
  // A use in the second of the token's creation is after it.
  const slack = await openFakeSlack(() => Math.ceil(Date.now() / 1_000))
  const stripe = await openFakeStripe(() => Math.floor(Date.now() / 1_000), Stripe.API_VERSION)
  return {
    env: {
      ROOKERY_OUTBOUND_ALLOW: '127.0.0.0/8',
      ROOKERY_SLACK_ADMIN_TOKEN: slack.adminToken,
      ROOKERY_SLACK_URL: slack.url,
      ROOKERY_STRIPE_SECRET_KEY: stripe.key,
      ROOKERY_STRIPE_CARDHOLDER: stripe.cardholder.id,
      ROOKERY_STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      ROOKERY_STRIPE_URL: stripe.url,
      ROOKERY_CARD_ISSUER_SECRET: ISSUER_SECRET,
    },
    firings: [slackToken(slack), slackWebhook, stripeCard(stripe), issuerCard],
    async close() {
      await Promise.all([slack.close(), stripe.close()])
    },
  }
}

function slackToken(slack: FakeSlack): TokenProof {
  const { token } = slack.addUser('reporter')
  return {
    kind: 'chatops-api',
    program: '@slack/web-api (fake)',
    needs: [],
    settings: { chatops_token: token },
    logtype: '17020',
    patienceMs: POLL_MS,
    async fire({ renders }) {
      const client = new WebClient(renders['api_token'], { slackApiUrl: `${slack.url}/` })
      assert.equal((await client.auth.test()).user, 'reporter')
      return {
        event_name: 'access_log',
        src_host: '127.0.0.1',
        username: 'reporter',
        count: 1,
        country: 'DE',
      }
    },
  }
}

const slackWebhook: TokenProof = {
  kind: 'chatops-api',
  program: 'curl',
  needs: ['curl'],
  logtype: '17020',
  async fire({ renders }) {
    const message = ['-H', 'Content-Type: application/json', '-d', '{"text":"backup failed"}']
    const { stdout } = await run('curl', ['-s', ...message, renders['webhook_url'] ?? ''])
    assert.equal(stdout, 'ok')
    return { method: 'POST', text: 'backup failed', useragent: /^curl/ }
  },
}

/** Where the provider sends events to, on the token host. */
async function feedUrlOf({ console }: FiringDeps, provider: string): Promise<string> {
  const { json } = await console.get('/decoytokens/channels')
  const providers = json['providers'] as readonly { readonly provider: string; readonly feed_url: string }[]
  const { pathname } = new URL(providers.find((it) => it.provider === provider)?.feed_url ?? '')
  return `http://127.0.0.1:${console.tokensPort}${pathname}`
}

function stripeCard(fake: FakeStripe): TokenProof {
  const stripe = new Stripe(fake.key, { host: '127.0.0.1', port: fake.port, protocol: 'http' })
  return {
    kind: 'credit-card',
    program: 'stripe (fake)',
    needs: [],
    logtype: '17027',
    async fire({ renders }, deps) {
      const sign = (payload: string): string =>
        stripe.webhooks.generateTestHeaderString({ payload, secret: WEBHOOK_SECRET })
      fake.webhook = { url: await feedUrlOf(deps, 'stripe'), sign }
      const { data } = await stripe.issuing.cards.list({ status: 'active' })
      const [card] = data
      assert.ok(card)
      const { number = '' } = await stripe.issuing.cards.retrieve(card.id, { expand: ['number'] })
      assert.equal(renders['card_number'], number)
      await stripe.testHelpers.issuing.authorizations.create({
        card: card.id,
        amount: 1_250,
        merchant_data: { name: 'Rocket Rides', city: 'San Francisco', country: 'US' },
      })
      assert.deepEqual(
        fake.answers.map(({ status, body }) => `${status} ${body}`),
        ['200 {"approved":false}', '200 {}'],
      )
      const category = 'eating_places_restaurants'
      return {
        event_name: 'issuing_authorization',
        src_host: '',
        dst_port: 443,
        status: 'declined',
        amount: '12.50',
        currency: 'USD',
        last4: number.slice(-4),
        cvc_check: 'match',
        merchant: { name: 'Rocket Rides', city: 'San Francisco', country: 'US', category },
      }
    },
  }
}

const issuerCard: TokenProof = {
  kind: 'credit-card',
  program: 'openssl, curl',
  needs: ['openssl', 'curl', 'sh'],
  settings: { card_provider: 'card-issuer', card_id: 'card-7', card_last4: '1234' },
  logtype: '17027',
  async fire(_planted, deps) {
    const created = new Date().toISOString()
    const body = `{"id":"a1","card_id":"card-7","created":"${created}","event":"authorization.declined","amount":"9.90","currency":"eur","merchant":{"name":"Kiosk"}}`
    // As the README of the kind has it.
    const script = `signature=$(printf %s "$body" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)
      curl -s -w '%{http_code}' -H "X-Signature: $signature" --data-binary "$body" "$FEED_URL"`
    const post = async (secret: string): Promise<string> => {
      const env = {
        PATH: process.env['PATH'],
        body,
        SECRET: secret,
        FEED_URL: await feedUrlOf(deps, 'card-issuer'),
      }
      return (await run('sh', ['-c', script], { env })).stdout
    }
    assert.match(await post('another-secret-of-it'), /401$/)
    assert.equal(await post(ISSUER_SECRET), '{}200')
    assert.equal(await post(ISSUER_SECRET), '{}200')
    return {
      event_name: 'authorization.declined',
      src_host: '',
      amount: '9.90',
      currency: 'EUR',
      merchant: { name: 'Kiosk' },
    }
  },
}
