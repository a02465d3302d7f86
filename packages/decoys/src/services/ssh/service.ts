// OpenSSH with Debian's or Ubuntu's default configuration.
import { exchangeBudget } from './protocol/exchange-budget.ts'
import { sshService } from './ssh-service.ts'

export default sshService(exchangeBudget())
