// What both sides have agreed on, option by option: the state machine of 4.4BSD's telnetd, which RFC 1143 describes as the
// method with a queue. Loops cannot arise: a request is sent once, and an answer to a request is not answered.

/** One option of one side. */
export interface OptionState {
  /** What the side's owner last said. */
  isOn: boolean
  /** What we want. */
  isWanted: boolean
  /** Our requests that are not answered yet. */
  requests: number
}

/** Of one side, by option. */
export type OptionStates = Map<number, OptionState>

export function stateOf(states: OptionStates, option: number): OptionState {
  let state = states.get(option)
  if (!state) {
    state = { isOn: false, isWanted: false, requests: 0 }
    states.set(option, state)
  }
  return state
}

/** We have asked for a change that is not answered yet. */
export const isChanging = ({ isOn, isWanted }: OptionState): boolean => isOn !== isWanted

/** Notes that we want the option on or off. False: it is so, or was asked for before; nothing is to be sent. */
export function request(state: OptionState, on: boolean): boolean {
  if ((state.requests === 0 && state.isOn === on) || state.isWanted === on) return false
  state.isWanted = on
  state.requests += 1
  return true
}

/** Notes that the peer has said on or off. True: it answers the last of our requests, or no request at all. */
export function settle(state: OptionState, on: boolean): boolean {
  if (state.requests > 0) {
    state.requests -= 1
    if (state.requests > 0 && state.isOn === on) state.requests -= 1
  }
  return state.requests === 0
}
