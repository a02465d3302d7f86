// Loaded before the program: V8 says what it optimizes, and time zones say that they are loaded. The process finds itself idle,
// however long a busy machine lets its start take.
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'

setFlagsFromString('--trace-opt')
performance.eventLoopUtilization = () => ({ idle: 1, active: 0, utilization: 0 })
const { DateTimeFormat } = Intl
Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
  construct(target, args) {
    process.stdout.write('time zones are loaded\n')
    return new target(...args)
  },
})
