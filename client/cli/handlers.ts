import type { CommandName } from './commands.ts'
import type { Context } from './context.ts'
import type { Report } from './output/output.ts'

/** What each command does. Its module is loaded when it runs, so that no command waits for the modules of others. */
export const HANDLERS: Readonly<Record<CommandName, (context: Context) => Promise<Report>>> = {
  login: async (context) => (await import('./commands/login.ts')).login(context),
  logout: async (context) => (await import('./commands/login.ts')).logout(context),
  whoami: async (context) => (await import('./commands/account.ts')).whoami(context),
  sessions: async (context) => (await import('./commands/sign-ins.ts')).sessions(context),
  jobs: async (context) => (await import('./commands/jobs.ts')).jobs(context),
  show: async (context) => (await import('./commands/jobs.ts')).show(context),
  preflight: async (context) => (await import('./commands/jobs.ts')).preflight(context),
  claim: async (context) => (await import('./commands/work.ts')).claim(context),
  validate: async (context) => (await import('./commands/work.ts')).validate(context),
  submit: async (context) => (await import('./commands/work.ts')).submit(context),
  watch: async (context) => (await import('./commands/watch.ts')).watch(context),
  dispute: async (context) => (await import('./commands/dispute.ts')).dispute(context),
  post: async (context) => (await import('./commands/post.ts')).post(context),
  account: async (context) => (await import('./commands/account.ts')).account(context),
  deposit: async (context) => (await import('./commands/deposit.ts')).deposit(context),
  recall: async (context) => (await import('./commands/home.ts')).recall(context),
  withdraw: async (context) => (await import('./commands/home.ts')).withdraw(context),
  faucet: async (context) => (await import('./commands/faucet.ts')).faucet(context),
  mcp: async (context) => (await import('./commands/mcp.ts')).mcp(context),
  delegate: async (context) => (await import('./commands/delegate.ts')).delegate(context),
  admin: async (context) => (await import('./commands/admin.ts')).admin(context),
  // It writes its own output.
  'verify-record': async ({ arguments: args }) => {
    const { verifyRecord } = await import('../../examples/verify-record/verify-record.ts')
    return { document: undefined, lines: [], exit: await verifyRecord(args) }
  },
  completion: async (context) => (await import('./completion.ts')).printCompletion(context),
  help: async (context) => (await import('./help.ts')).printHelp(context),
  version: async () => (await import('./help.ts')).printVersion(),
}
