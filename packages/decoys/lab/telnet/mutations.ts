// The recorded dialogues of Telnet, changed: those of telnetd, or those of a router's BusyBox.
import { latin1 } from '../../test/draw.ts'
import { changeText } from '../../test/mutations/changes.ts'
import { sessionTarget, type MutationTargets } from '../../test/mutations/target.ts'
import { dialogues as ofBusybox } from './busybox/grammar.ts'
import { dialogues as ofTelnetd } from './telnetd/dialogues.ts'
import { telnetDefaults } from './defaults.ts'

const servers = [telnetDefaults(), telnetDefaults({ 'http.enabled': true, 'http.skin': 'router' })]
const dialogues = [...ofTelnetd, ...ofBusybox]

export const mutations: MutationTargets = {
  telnet: sessionTarget({
    server: (draw) => draw.pick(servers),
    segments: (draw) => draw.pick(dialogues).turns.map(({ send }) => latin1(send)),
    change: changeText(['\xff', '\xff\xfa', '\xff\xf0', '\xff\xff', '\r\0', '\r\n', '\0', '\x03', '\x04']),
    // A list of all special characters, some options and five rounds of login, for each byte that is sent.
    mostAnswerBytes: 100_000,
    leastMeanAnswer: 25,
  }),
}
