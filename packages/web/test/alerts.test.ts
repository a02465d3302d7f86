// Receivers added, tested, broken and repaired by hand; a kind that the page does not know; the chat that asks for authorisation.
import { expect } from 'vitest'
import type { Page } from 'playwright-core'
import { CLIENT, openChatService } from '@rookery/console/test/chat-service.ts'
import { FLOCK, loopbackOutbound, raiseIncident } from '@rookery/console/test/raise-incident.ts'
import { openReceiver, refuse, type Alert, type Behaviour } from '@rookery/console/test/receiver.ts'
import { openTestConsole } from '@rookery/console/test/test-console.ts'
import { expectGood } from './axe.ts'
import { DESK, inBrowser, PHONE, signUp } from './rig.ts'
import { CORPUS } from './seed.ts'
import { walk } from './walk.ts'

const it = inBrowser()
/** A folder for pictures to look at; without it none are taken. */
const PICTURES = process.env['PICTURES']
const WIDE = { width: 1920, height: 1080 }

async function picture(page: Page, name: string): Promise<void> {
  if (!PICTURES) return
  for (const viewport of [PHONE, WIDE, DESK])
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: `${PICTURES}/${name}-${colorScheme}-${viewport.width}.png` })
    }
}

/** It has one path that it knows. */
const onlyAt =
  (path: string, then: Behaviour): Behaviour =>
  (alert, response, request) =>
    alert.path === path ? then(alert, response, request) : void response.writeHead(404).end('no such hook')

/** The receiver's snippet takes the message as it is, and not another. */
async function expectVerified(snippet: string, secret: string, alert: Alert | undefined): Promise<void> {
  const { verify } = (await import(`data:text/javascript,${encodeURIComponent(snippet)}`)) as {
    verify: (secret: string, headers: object, body: string) => boolean
  }
  expect(verify(secret, alert?.headers ?? {}, alert?.text ?? '')).toBe(true)
  expect(verify(secret, alert?.headers ?? {}, `${alert?.text} `)).toBe(false)
}

/** One is shown without its secrets, and sent again. */
async function openDelivery(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Delivered', exact: true }).click()
  await page
    .getByRole('button', { name: /^Open \d+$/ })
    .first()
    .click()
  const opened = page.getByRole('region', { name: /^Delivery \d+$/ })
  await opened.getByText('webhook-id').waitFor()
  expect(await opened.innerText()).not.toContain('night watch')
  await expectGood(page, 'an opened delivery')
  await picture(page, 'deliveries')
  await opened.getByRole('button', { name: 'Replay' }).click()
}

it('a webhook whose test fails is corrected, breaks, and 100 alerts are replayed in order, in at most 12 clicks', async (rig) => {
  const rookery = await openTestConsole({
    world: { outbound: loopbackOutbound() },
    alerting: { perMinute: 1_000 },
  })
  const { page, complaints } = await rig.open()
  await signUp(page, rookery)
  await page.goto(`${rookery.console.apiUrl}/`)
  const { click, done } = walk(page, '100 alerts replayed once their receiver works')
  const fine: Behaviour = (_alert, response) => void response.writeHead(204).end()
  const receiver = await openReceiver(onlyAt('/alerts', fine))
  await click('link', 'Receivers')
  await click('link', 'Add receiver')
  await page.getByRole('link', { name: 'Team chat' }).waitFor()
  await expectGood(page, 'kinds of receivers')
  await picture(page, 'kinds')
  await click('link', 'Webhook')
  const url = page.getByLabel('URL')
  await url.fill(`${receiver.url}/wrong`)
  await page.getByLabel('Headers').fill('Authorization: Bearer night watch\nX-Source: rookery')
  await click('button', 'Test')
  await page.getByText('It answered 404; success is 200 to 299.').first().waitFor()
  await expect.poll(() => url.getAttribute('aria-invalid')).toBe('true')
  await expectGood(page, 'a test that failed')
  await picture(page, 'form')
  await url.fill(receiver.url)
  await click('button', 'Test')
  await page.getByText('The test arrived.').waitFor()
  expect(receiver.alerts.at(-1)?.headers).toMatchObject({
    authorization: 'Bearer night watch',
    'x-source': 'rookery',
  })
  await click('button', 'Save')
  await page.getByRole('heading', { name: 'Signing secret' }).waitFor()
  const figure = (name: string) =>
    page.getByRole('figure').filter({ hasText: name }).locator('pre').innerText()
  const secret = await figure('Signing secret')
  const snippet = await figure('Verify a message')
  expect(secret).toMatch(/^whsec_/)
  await expectGood(page, 'signing secret')
  await picture(page, 'secret')
  await click('button', 'Done')
  const card = page.getByRole('listitem').filter({ hasText: new URL(receiver.url).host })
  await card.getByText('Fine').waitFor()
  expect(await page.content()).not.toContain(secret)

  await raiseIncident(rookery)
  const [, , signed] = await receiver.tries(3)
  await expectVerified(snippet, secret, signed)

  // It breaks while 100 incidents come; in the end it wants no more messages.
  await rookery.console.dispatcher.idle()
  receiver.behave(refuse(503))
  const sources: string[] = []
  for (let n = 0; n < 100; n++) sources.push(await raiseIncident(rookery))
  await rookery.console.dispatcher.idle()
  receiver.behave(refuse(410))
  const [waiting] = (await rookery.api.deliveries.list({ state: 'waiting', limit: 1 })).deliveries
  await rookery.api.deliveries.replayOne({ delivery_id: String(waiting?.delivery_id) })
  const states = async () => (await rookery.api.receiverOverview.list()).receivers.map(({ state }) => state)
  await expect.poll(states).toEqual(['off'])
  await card.getByText('Switched off').waitFor()
  await picture(page, 'receivers')
  const before = receiver.alerts.length
  receiver.behave(fine)
  await click('button', 'Switch on')
  await page.getByText('It is switched on.').waitFor()
  await click('link', 'Deliveries', card)
  await page.getByRole('table', { name: 'Deliveries' }).waitFor()
  await expectGood(page, 'deliveries')
  await click('button', 'Replay all')
  await page.getByText('100 messages are sent again, in order.').waitFor()
  const replayed = (await receiver.tries(before + 100)).slice(before)
  expect(replayed.map(({ json }) => json['SourceIP'])).toEqual(sources)
  done(12)

  await rookery.console.dispatcher.idle()
  await openDelivery(page)
  await receiver.tries(before + 101)
  await page.getByRole('link', { name: 'Open the incident' }).click()
  await page.getByText('answered 204').first().waitFor()
  await page.goto(`${rookery.console.apiUrl}/alerts/receivers`)
  await card.getByRole('button', { name: 'Remove' }).click()
  await card.getByRole('group').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No receiver is set up.').waitFor()
  expect(complaints).toEqual([])
})

it('an address that the console may not reach says which option admits it; a Flock follows the console or not', async (rig) => {
  const rookery = await openTestConsole({ world: { outbound: loopbackOutbound() } })
  const { page, complaints } = await rig.open()
  await signUp(page, rookery)
  await page.goto(`${rookery.console.apiUrl}/alerts/receivers/new?kind=generic`)
  await page.getByLabel('URL').fill('http://10.20.30.40/hook')
  for (const name of ['Test', 'Save']) {
    await page.getByRole('button', { name, exact: true }).click()
    await page
      .getByText(/ROOKERY_OUTBOUND_ALLOW/)
      .first()
      .waitFor()
  }
  await page.goto(`${rookery.console.apiUrl}/alerts/receivers/new?kind=sms&flock=console`)
  await page.getByText('SMS provider not configured: set ROOKERY_SMS_URL.').first().waitFor()
  await expectGood(page, 'a kind that lacks its provider')
  await page.goto(`${rookery.console.apiUrl}/alerts/receivers`)
  const { api } = rookery
  await page.getByLabel('Alerts to webhooks').first().selectOption('off')
  await expect
    .poll(async () => (await api.flockWebhooks.isEnabled({ flock_id: FLOCK })).is_enabled)
    .toBe(false)
  await page.getByLabel('Alerts of changed settings of the Flock').first().selectOption('on')
  await expect
    .poll(async () => (await api.flockChangeAlerts.isEnabledFlock({ flock_id: FLOCK })).is_enabled)
    .toBe(true)
  await page.getByLabel('Alerts of changed settings of its Birds').last().selectOption('on')
  await expect
    .poll(async () => (await api.consoleSettings.read()).settings.change_control.device_settings)
    .toBe(true)
  await expectGood(page, 'switches of alerts')
  await picture(page, 'switches')
  expect(complaints).toEqual([])
})

it('recipients of mail are tested, set for every Flock, changed and removed', async (rig) => {
  const sent: string[] = []
  const rookery = await openTestConsole({
    env: { ROOKERY_SMTP_URL: 'smtp://mail.example.com', ROOKERY_SMTP_FROM: 'rookery@example.com' },
    world: {
      mail: {
        send: (mail: { to?: unknown }) => {
          sent.push(JSON.stringify(mail.to ?? mail))
          return Promise.resolve({ refused: [] })
        },
      } as never,
    },
  })
  const { page, complaints } = await rig.open()
  await signUp(page, rookery)
  await page.goto(`${rookery.console.apiUrl}/alerts/receivers/new?kind=email`)
  await page.getByLabel('Flock').selectOption('console')
  const box = page.getByLabel('Addresses')
  await box.fill('nobody')
  await page.getByRole('button', { name: 'Test' }).click()
  await expect.poll(() => box.getAttribute('aria-invalid')).toBe('true')
  await box.fill('ann@example.com\nbea@example.com')
  await page.getByRole('button', { name: 'Test' }).click()
  await page.getByText('The test arrived.').waitFor()
  expect(sent.join()).toContain('bea@example.com')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('e-mail (2)').waitFor()
  await page.getByRole('link', { name: 'Change' }).click()
  expect(await box.inputValue()).toBe('ann@example.com\nbea@example.com')
  await box.fill('ann@example.com')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('e-mail (1)').waitFor()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('group').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('No receiver is set up.').waitFor()
  expect(complaints).toEqual([])
})

it('a kind of receiver that is new to the page has its form, its test and its place in the list', async (rig) => {
  const rookery = await openTestConsole()
  const { page, complaints } = await rig.open()
  await signUp(page, rookery)
  const field = { type: 'text', description: 'Where it is', is_required: true, is_secret: false } as const
  const fields = [
    { ...field, name: 'pager_url', default: null, choices: [], max_length: 200 },
    {
      ...field,
      name: 'tone',
      type: 'choice',
      default: 'quiet',
      choices: ['quiet', 'loud'],
      max_length: null,
    },
    {
      ...field,
      name: 'is_urgent',
      type: 'switch',
      is_required: false,
      default: 'false',
      choices: [],
      max_length: null,
    },
  ]
  const path = '/flock/settings/webhooks/pager'
  const asked: [string, string][] = []
  await page.route('**/api/v1/receivers/kinds', async (route) => {
    const response = await route.fetch()
    const { kinds, ...answer } = (await response.json()) as { kinds: object[] }
    const pager = {
      kind: 'pager',
      title: 'Pager',
      help: 'At most 20 messages a minute.',
      takes: 'incidents',
      lacks: '',
      add: { path: `${path}/add`, fields },
      test: { path: `${path}/test`, fields },
      authorise: null,
      add_everywhere: null,
      test_everywhere: null,
      list: null,
    }
    await route.fulfill({ response, json: { ...answer, kinds: [...kinds, pager] } })
  })
  await page.route(`**/api/v1${path}/*`, async (route) => {
    asked.push([route.request().url().replace(/.*\//, ''), route.request().postData() ?? ''])
    await route.fulfill({ json: { result: 'success' } })
  })
  await page.goto(`${rookery.console.apiUrl}/alerts/receivers/new`)
  await page.getByRole('link', { name: 'Pager', exact: true }).click()
  await page.getByText('At most 20 messages a minute.').waitFor()
  await page.getByLabel('Pager url').fill('https://pager.example.com/1')
  await page.getByLabel('Tone').selectOption('loud')
  await page.getByLabel('Is urgent').check()
  await page.getByRole('button', { name: 'Test' }).click()
  await page.getByText('The test arrived.').waitFor()
  await expectGood(page, 'a new kind')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('No receiver is set up.').waitFor()
  const sent = new URLSearchParams({
    pager_url: 'https://pager.example.com/1',
    tone: 'loud',
    is_urgent: 'true',
    flock_id: FLOCK,
  }).toString()
  expect(asked).toEqual([
    ['test', sent],
    ['add', sent],
  ])
  expect(complaints).toEqual([])
})

it('the page of the chat service is opened by a button, and leads back to the receivers', async (rig) => {
  const service = await openChatService()
  const rookery = await openTestConsole({
    world: { outbound: loopbackOutbound() },
    env: {
      ROOKERY_CHATOPS_URL: `${service.url}/`,
      ROOKERY_CHATOPS_CLIENT_ID: CLIENT.id,
      ROOKERY_CHATOPS_CLIENT_SECRET: CLIENT.secret,
    },
  })
  const { page, complaints } = await rig.open()
  await signUp(page, rookery)
  await page.goto(`${rookery.console.apiUrl}/alerts/receivers/new?kind=chatops`)
  await page.route(`${service.url}/**`, (route) => route.fulfill({ body: 'Choose a channel' }))
  const opening = page.waitForRequest((request) =>
    request.url().startsWith(`${service.url}/oauth/v2/authorize?`),
  )
  await page.getByRole('button', { name: 'Open the chat service' }).click()
  const { back } = service.agree((await opening).url(), '#alerts')
  await page.goto(back)
  await page.getByText('The channel is added').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Chat service · ' }).waitFor()
  expect((await rookery.api.flockChats.chatops({ flock_id: FLOCK })).chatops_webhooks).toMatchObject([
    { channel: '#alerts' },
  ])
  expect(complaints).toEqual([])
})

it('what a receiver answers, and what an intruder wrote into a message, stays text', async (rig) => {
  const rookery = await openTestConsole({ world: { outbound: loopbackOutbound() } })
  const { page, complaints } = await rig.open()
  await signUp(page, rookery)
  const texts = CORPUS.filter((text) => /^[\x20-\x7e]+$/.test(text)).slice(0, 5)
  const receiver = await openReceiver((_alert, response) => void response.writeHead(400).end(texts.join(' ')))
  await rookery.api.flockWebhooks.addGeneric({ flock_id: FLOCK, url: receiver.url })
  await raiseIncident(rookery, { fields: { USERNAME: CORPUS[0] ?? '', PASSWORD: CORPUS[1] ?? '' } })
  await receiver.tries(1)
  await rookery.console.dispatcher.idle()
  const [delivery] = (await rookery.api.deliveries.list({})).deliveries
  for (const viewport of [DESK, PHONE]) {
    await page.setViewportSize(viewport)
    for (const path of ['/alerts/receivers', `/alerts/deliveries?open=${delivery?.delivery_id}`]) {
      await page.goto(`${rookery.console.apiUrl}${path}`)
      await page.getByText('It answered 400').first().waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    }
  }
  expect(complaints).toEqual([])
})
