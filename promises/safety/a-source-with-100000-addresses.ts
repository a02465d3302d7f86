import { atLeast, exactly, type Case } from '../rig/case.ts'
import { scaleNote, sized } from '../rig/scale.ts'
import { openDice } from './lib/dice.ts'
import { meetManyAddresses } from './lib/many-addresses.ts'

const manyAddresses: Case = {
  id: 'G7b',
  title: 'one source with 100,000 addresses of an IPv6 /64, and reverse zones that lie',
  async run() {
    const dice = openDice()
    const addresses = sized(100_000, 500)
    const met = await meetManyAddresses({ addresses, dice })
    return {
      ok: met.liars > 0 && met.honest > 0,
      rows: [
        exactly('incidents of the /64', met.ofNetwork, '', 1),
        exactly('events that it does not count', met.uncounted, '', 0),
        exactly('incidents of the /64 next to it', met.ofNeighbour, '', 1),
        exactly('sources whose reverse zone lies, without an incident', met.unraised, '', 0),
        exactly('sources whose reverse zone lies, without an alert', met.unalerted, '', 0),
        atLeast('sources whose reverse zone lies', met.liars, '', 100),
        exactly('control: incidents of sources with a true listed name', met.honestRaised, '', 0),
      ],
      note: `${addresses} addresses, seed ${dice.seed}; ${met.honest} sources with a true listed name${scaleNote}`,
    }
  },
}
export default manyAddresses
