// Services that take alerts, as their published rules have them: each takes or refuses what is sent to it.
import { elasticJudge } from './judges/elastic.ts'
import { jiraJudge } from './judges/jira.ts'
import type { ServiceJudge } from './judges/judge.ts'
import { matrixJudge } from './judges/matrix.ts'
import { pagerdutyJudge } from './judges/pagerduty.ts'
import { sentinelJudge } from './judges/sentinel.ts'
import { servicenowJudge } from './judges/servicenow.ts'
import { telegramJudge } from './judges/telegram.ts'

/** Kind to its judge. */
export const serviceJudges: Readonly<Record<string, ServiceJudge>> = {
  pagerduty: pagerdutyJudge,
  elastic: elasticJudge,
  telegram: telegramJudge,
  matrix: matrixJudge,
  jira: jiraJudge,
  servicenow: servicenowJudge,
  sentinel: sentinelJudge,
}
