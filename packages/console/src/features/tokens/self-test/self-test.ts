// A self-test: touches a token from the console's own side, by each of its channels, and says how far each touch came.
import type { TokenTestStep } from '@rookery/contract/records/token-test.ts'
import { Fault } from '@rookery/kernel/fault.ts'
import type { Advertised } from '@rookery/kernel/world.ts'
import { deriver } from '@rookery/tokens/derive.ts'
import { kinds } from '@rookery/tokens/kinds.gen.ts'
import type { WireguardPlacement } from '@rookery/tokens/token.ts'
import { channelNames, type ChannelName } from '@rookery/tokens/visit.ts'
import type { Static } from 'typebox'
import type { AppContext } from '../../../app-context.ts'
import { addressOf } from '../../../flows/tokens/address.ts'
import { seedOf } from '../../../secrets/token-seed.ts'
import { openSettings } from '../../../flows/tokens/settings-at-rest.ts'
import type { Call } from '../../../http/call.ts'
import { hostPort } from '../../../addresses/host-port.ts'
import { newTokenId } from '../../../secrets/token-id.ts'
import { readChannels, type ChannelRow } from '../../../stores/channels/store.ts'
import type { StoredTouch } from '../../../stores/tokens/history.store.ts'
import type { TokenRow } from '../../../stores/tokens/store.ts'
import { addTest } from '../../../stores/tokens/tests.store.ts'
import { historySources, touchesBefore } from '../history.ts'
import { probes, type Probed } from './probes.ts'

type Step = Static<typeof TokenTestStep>

export interface SelfTestDeps extends Pick<AppContext, 'engine' | 'reader' | 'vault' | 'world'> {
  readonly wireguard: WireguardPlacement
}

export interface SelfTestResult {
  readonly passed: boolean
  /** Key of the incident that the test raised. */
  readonly incident: string | null
  readonly steps: readonly Step[]
}

const RECORDED_WITHIN_MS = 6_000
const LOOK_AGAIN_MS = 250
const TOUCHES_LOOKED_AT = 100

/** With `alert`, the first channel by which a touch comes in raises an incident. */
export async function selfTest(
  deps: SelfTestDeps,
  call: Call,
  token: TokenRow,
  alert: boolean,
): Promise<SelfTestResult> {
  refuseMetElsewhere(deps, token)
  const channels = channelNames.filter((channel) => kinds[token.kind]?.on[channel] !== undefined)
  const rows = new Map((await readChannels(deps.reader)).map((row) => [row.channel, row]))
  const own = [...rows.values()].flatMap(advertisedAt)
  const steps: Step[] = []
  let incident: string | null = null
  for (const channel of channels) {
    const row = rows.get(channel)
    const isListening = row !== undefined && row.listens !== ''
    steps.push(listenerStep(channel, row))
    if (!isListening) continue
    const probed = await begin(deps, call, token, alert && incident === null)
    const sent = await fire(deps, channel, probed, own)
    steps.push(sent)
    if (!sent.passed) continue
    const touch = await recorded(deps, call, token, probed.address.tokenId)
    incident ??= touch?.incident ?? null
    steps.push(recordStep(channel, touch))
  }
  const passed = steps.every((step) => step.passed) && (!alert || incident !== null)
  return { passed, incident, steps }
}

/** A touch of the console's own would say nothing of a token whose uses a provider alone reports. */
function refuseMetElsewhere({ vault }: SelfTestDeps, token: TokenRow): void {
  const kind = kinds[token.kind]
  const isMetHere = Object.keys(kind?.on ?? {}).length > 0
  if (isMetHere && kind?.isMetElsewhere?.(openSettings(vault, token)) !== true) return
  throw new Fault(
    'conflict',
    'This console cannot test the token: its provider reports its uses. Use what it planted once, and look into its history some minutes later.',
  )
}

/** Where the console is advertised by a channel. */
function advertisedAt({ named }: ChannelRow): Advertised[] {
  // DNS names a zone, without a port.
  if (!named.includes(':')) return []
  if (!URL.canParse(named) || !/^https?:/.test(named)) return [hostPort(named)]
  const { hostname, port, protocol } = new URL(named)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return [{ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) }]
}

/** The id of a test stands for the token's in every address: real touches are never taken for it. */
async function begin(
  { vault, world }: SelfTestDeps,
  call: Call,
  token: TokenRow,
  alert: boolean,
): Promise<Probed> {
  const testId = newTokenId(world.random, vault)
  const derive = deriver(token.kind, seedOf(vault, testId))
  await call.change((tx) =>
    addTest(tx, {
      test_id: testId,
      token_id: token.token_id,
      alerts: alert ? 1 : 0,
      started_at: world.clock.now(),
      started_by: call.caller.keyId,
      peer_key: kinds[token.kind]?.peerKey?.(derive) ?? '',
    }),
  )
  const inPlace = (text: string): string => text.replaceAll(token.token_id, testId)
  const address = addressOf({
    ...token,
    token_id: testId,
    url: inPlace(token.url),
    hostname: inPlace(token.hostname),
  })
  return { address, clientKey: kinds[token.kind]?.clientKey?.(derive) }
}

function listenerStep(channel: ChannelName, row: ChannelRow | undefined): Step {
  const passed = row !== undefined && row.listens !== ''
  const text = passed
    ? `The console listens at ${row.listens}, and artefacts name ${row.named}.`
    : `The ${channel} channel is closed: decoytokens/channels says what opens it.`
  return { channel, step: 'listener', passed, text }
}

async function fire(
  { world, wireguard }: SelfTestDeps,
  channel: ChannelName,
  probed: Probed,
  own: readonly Advertised[],
): Promise<Step> {
  try {
    const { text, warning } = await probes[channel](probed, { world, own, wireguard })
    return {
      channel,
      step: 'touch',
      passed: true,
      text: `${text}.${warning === undefined ? '' : ` ${warning}`}`,
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return { channel, step: 'touch', passed: false, text: error.message }
  }
}

function recordStep(channel: ChannelName, touch: StoredTouch | undefined): Step {
  const text =
    touch === undefined
      ? `The touch was not recorded within ${RECORDED_WITHIN_MS / 1_000} s: something else than this console answered there.`
      : touch.incident === null
        ? 'The touch is in the history of the token.'
        : `The touch raised ${touch.incident}; deliveries/list shows its alerts.`
  return { channel, step: 'record', passed: touch !== undefined, text }
}

/** The recorded touch of the test, also if another console took it. */
async function recorded(
  deps: SelfTestDeps,
  call: Call,
  token: TokenRow,
  testId: string,
): Promise<StoredTouch | undefined> {
  const { clock } = deps.world
  const until = clock.now() + RECORDED_WITHIN_MS
  for (;;) {
    const sources = await historySources(deps, call.caller.scope, token)
    const { touches } = await touchesBefore(deps, sources, undefined, TOUCHES_LOOKED_AT)
    const found = touches.find(({ body }) => body.includes(`"self_test":"${testId}"`))
    if (found || clock.now() >= until) return found
    await new Promise<void>((resolve) => void clock.after(LOOK_AGAIN_MS, resolve))
  }
}
