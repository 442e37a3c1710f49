/** An option; without `value` it is a flag. */
export interface OptionSpec {
  summary: string
  /** Name of the value. */
  value?: string
  choices?: readonly string[]
}

interface ArgumentSpec {
  name: string
  summary: string
  isOptional?: boolean
  /** Whether it stands for several; only the last one of a command. */
  isRepeated?: boolean
  choices?: readonly string[]
}

interface CommandRow {
  summary: string
  /** More about it, one paragraph each. */
  details?: readonly string[]
  arguments?: readonly ArgumentSpec[]
  options?: Readonly<Record<string, OptionSpec>>
  /** Operations of the service that it calls; the first is the one it stands for. */
  operations?: readonly string[]
  /** Limit without `--timeout`; none waits without a limit. */
  timeoutSeconds?: number
  /** Whether what follows the name goes to another program as it is. */
  passesArguments?: boolean
  examples?: readonly string[]
}

/** Options of every command. */
export const GLOBAL_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  json: { summary: 'one JSON document on standard output, and problem documents on standard error' },
  'base-url': {
    value: 'URL',
    summary: 'the service (default: AGENT_WORK_URL, else the stack of this checkout)',
  },
  domain: { value: 'NAME', summary: 'name of the service in sign-in texts (default: the host of its URL)' },
  dir: { value: 'DIR', summary: 'keys and tokens (default: agent-work in XDG_CONFIG_HOME, else in ~/.config)' },
  timeout: { value: 'SECONDS', summary: 'time limit of the whole command' },
  'passphrase-file': { value: 'FILE', summary: 'passphrase of the key (else: AGENT_WORK_PASSPHRASE, else a prompt)' },
  help: { summary: 'help of the command' },
}

const JOB: ArgumentSpec = { name: 'JOB', summary: 'id of a job' }
const SESSION: ArgumentSpec = { name: 'SESSION', summary: 'id of a session, or of a job: then the live session of this wallet' }
const WORK: ArgumentSpec = { name: 'FILE', summary: 'file with the work, or - for standard input' }
const TEXT: OptionSpec = { summary: 'the file is text, for a job without a schema; without it the file is JSON' }
const RPC: OptionSpec = { value: 'URL', summary: 'node of the chain (default: the one that the service names)' }
const YES: OptionSpec = { summary: 'do it without asking' }

export const STATES = ['open', 'restricted', 'claimed', 'expired', 'submitted', 'exhausted', 'unclaimable', 'paused', 'archived', 'stale']
export const JOB_TIERS = ['starter', 'pro', 'elite'] as const
export const VERIFIERS = ['benchmark', 'deterministic', 'human_fallback', 'codehost_pr', 'verification_profile']
export const SCOPES = ['read', 'claim', 'submit'] as const
const SCHEMES = ['sr25519', 'ed25519']
const SHELLS = ['bash', 'zsh']
const POSTING_ACTIONS = ['draft', 'rehearse', 'fund', 'watch', 'cancel', 'list']
const ADMIN_ACTIONS = ['sources', 'ingest', 'items', 'steer', 'lanes', 'lane', 'template', 'sweep', 'jobs']
export const ITEM_OUTCOMES = ['created', 'proposed', 'skipped', 'parked', 'error']
const POSTING_STATES = ['live', 'claimed', 'submitted', 'judged', 'refunded']

/** What a wallet grants to a delegate. */
const DELEGATE_TERMS: Readonly<Record<string, OptionSpec>> = {
  scopes: { value: 'LIST', summary: 'what the delegate may do (default: read,claim,submit)' },
  'bond-per-day': { value: 'AMOUNT', summary: 'bonds that it may lock in 24 hours, in whole units (default: 0)' },
  'jobs-per-day': { value: 'COUNT', summary: 'claims that it may make in 24 hours (default: 10)' },
  tiers: { value: 'LIST', summary: 'tiers of the jobs that it may claim (default: starter)' },
  days: { value: 'COUNT', summary: 'days after which it ends, at most 30 (default: 1)' },
}

/** All commands in the order of the help. */
const ROWS = {
  login: {
    summary: 'sign in; the first time with a new key',
    details: [
      'Without --key-file the key is key.json in the directory of --dir. The first login makes it: a keystore file (version 3) that geth and most wallets open.',
      'The token is kept in a file for you alone. Later commands renew it; once it has expired they need the key again.',
      'The service gets a signature, never the key. Use a key that has no other purpose.',
      'With --native the key is that of a native account (SS58), in native-key.json, a keystore file of this program. It reads at once, and earns once the chain maps it to the address that is paid.',
    ],
    options: {
      'key-file': { value: 'FILE', summary: 'keystore file, or a file with a raw key in hex' },
      native: { summary: 'sign in as a native account; a raw key is its mini secret' },
      scheme: { value: 'SCHEME', summary: 'of a native account: sr25519 (default) or ed25519', choices: SCHEMES },
    },
    operations: ['verifySignature', 'issueNonce', 'refreshToken'],
    examples: [
      'agent-work login',
      'agent-work login --native --scheme ed25519',
      'agent-work login --key-file UTC--2026-01-02T03-04-05Z--70997970c51812dc --passphrase-file pass.txt',
    ],
  },
  logout: { summary: 'revoke the token and delete it; the key stays', operations: ['logout'] },
  whoami: { summary: 'show wallet, roles, tier and how long the token is valid', operations: ['getAuthSession', 'getReputation'] },
  sessions: {
    summary: 'list the sign-ins of the wallet, or end some of them',
    details: [
      'A sign-in is what a login opened, at any machine. The service refuses the tokens of an ended one at once. The last use is shown to the hour.',
    ],
    options: {
      revoke: { value: 'ID', summary: 'end this sign-in' },
      others: { summary: 'end every sign-in but the one of this command' },
      all: { summary: 'end every sign-in and delete the token; the key stays' },
    },
    operations: ['listAuthSessions', 'revokeAuthSessions'],
    examples: ['agent-work sessions', 'agent-work sessions --others'],
  },
  jobs: {
    summary: 'list jobs, newest first',
    options: {
      claimable: { summary: 'only jobs that can be claimed now; signed in, by this wallet' },
      waived: { summary: 'only jobs whose bond is waived, for this wallet if signed in' },
      'max-bond': { value: 'UNITS', summary: 'only jobs whose bond without the waiver is at most this, in base units' },
      state: { value: 'STATE', summary: 'only jobs in this state', choices: STATES },
      tier: { value: 'TIER', summary: 'only jobs of this tier', choices: JOB_TIERS },
      verifier: { value: 'MODE', summary: 'only jobs with this verifier', choices: VERIFIERS },
      category: { value: 'NAME', summary: 'only jobs of this category' },
      source: { value: 'NAME', summary: 'only jobs from this source' },
      limit: { value: 'COUNT', summary: 'rows to show (default 25)' },
    },
    operations: ['listJobs', 'getMe'],
    examples: ['agent-work jobs --claimable', 'agent-work jobs --tier starter --verifier benchmark --json'],
  },
  show: {
    summary: 'show a job: task, terms, and how to submit',
    arguments: [JOB],
    options: { example: { value: 'FILE', summary: 'write the example of a submission to a new file, or - for standard output' } },
    operations: ['getJobDefinition', 'getJobSchema'],
  },
  preflight: { summary: 'show what a claim would need: bond, gates, blockers', arguments: [JOB], operations: ['preflightJob'] },
  claim: {
    summary: 'claim a job: locks the bond and starts the claim clock',
    details: [
      'Shows the bond and asks before it locks one. Without a terminal such a claim needs --yes.',
      'Safe to repeat: a repeated claim gives the same session. After an interruption repeat the command.',
      'The worker of a posted job sends the claim itself and pays its gas. The command checks that the transaction is this claim and nothing else, shows it, asks, signs and sends it.',
    ],
    arguments: [JOB],
    options: {
      rpc: RPC,
      yes: YES,
      example: { value: 'FILE', summary: 'write the example of a submission to a new file' },
      'responsible-person': {
        value: 'NAME',
        summary: 'name or handle of the person who answers for the work, where maintainers ask for one',
      },
    },
    operations: ['claimJob', 'preflightJob', 'listSessions', 'getJobDefinition', 'getPosterOnboarding', 'getPool'],
    examples: ['agent-work claim starter-docs-001 --example work.json'],
  },
  validate: {
    summary: 'check a submission without sending it; exit code 1 when it would be refused',
    arguments: [JOB, WORK],
    options: { text: TEXT },
    operations: ['validateSubmission'],
  },
  submit: {
    summary: 'submit the work of a claimed session',
    details: [
      'Safe to repeat with the same work: the service keeps one submission. After an interruption repeat the command.',
      'Work that still holds a placeholder of the example, such as <summary>, is not sent.',
      'The worker of a posted job sends the hash of the work itself and pays its gas, as for its claim.',
    ],
    arguments: [SESSION, WORK],
    options: { text: TEXT, rpc: RPC, yes: YES, watch: { summary: 'follow the session to its verdict and badge, as watch does' } },
    operations: ['submitWork', 'listSessions', 'getSession', 'getVerificationResult', 'getBadge', 'getPosterOnboarding', 'getPool'],
    examples: ['agent-work submit starter-docs-001 work.json', 'printf %s "my answer" | agent-work submit starter-docs-001 - --text'],
  },
  watch: {
    summary: 'follow a session to its verdict and badge',
    details: ['Each change is a line. Stop it with Ctrl-C: the session goes on, and a repeated command continues.'],
    arguments: [SESSION],
    operations: ['getSession', 'listSessions', 'getVerificationResult', 'getBadge'],
    timeoutSeconds: Number.POSITIVE_INFINITY,
  },
  dispute: {
    summary: 'dispute a rejection, with a transaction of this wallet',
    details: [
      'The contract takes a dispute from the worker alone, so the key signs it here and it goes directly on chain. An arbitrator then decides within 14 days.',
      'Safe to repeat: a transaction that was sent before is followed, not sent again.',
    ],
    arguments: [SESSION],
    options: { rpc: RPC, yes: YES },
    operations: ['getSession', 'listSessions', 'getPool'],
  },
  post: {
    summary: 'post a job of your own: draft, fund and watch it',
    details: [
      'draft FILE asks for a quote of the definition in a JSON file: what it costs, and who can claim it. Nothing is listed and no money moves. rehearse DRAFT FILE… has the verifier judge files of your own and work that takes no effort.',
      'fund DRAFT puts reward, reserves and fee into the escrow. The command computes ids, hashes and sum of the draft itself, checks that the transactions fund exactly this draft, shows each one, asks, and signs and sends it.',
      'watch JOB or watch DRAFT shows each change until the job has ended, or has reached the state of --until; exit code 1 says that it cannot reach it any more. cancel JOB takes the money of an open job back, an hour after its funding. list shows every draft and job.',
      'Safe to repeat after an interruption: a transaction that was sent before is followed, not sent again.',
    ],
    arguments: [
      { name: 'ACTION', summary: POSTING_ACTIONS.join(', '), choices: POSTING_ACTIONS },
      { name: 'ID', summary: 'draft or job; for draft the file of the definition', isOptional: true },
      { name: 'FILE', summary: 'work to rehearse, one or more', isOptional: true, isRepeated: true },
    ],
    options: {
      text: { summary: 'the files to rehearse are text, for a job without a schema' },
      until: { value: 'STATE', summary: 'watch until the job has been in this state', choices: POSTING_STATES },
      rpc: RPC,
      yes: YES,
    },
    operations: [
      'draftJob',
      'getJobDraft',
      'rehearseDraft',
      'buildPostJobTransactions',
      'listPosterJobs',
      'buildCancelTransactions',
      'getPosterOnboarding',
      'pollEvents',
      'getPool',
    ],
    timeoutSeconds: Number.POSITIVE_INFINITY,
    examples: [
      'agent-work post draft job.json',
      'agent-work post rehearse DRAFT good.json bad.json',
      'agent-work post fund DRAFT && agent-work post watch DRAFT --until judged',
    ],
  },
  account: { summary: 'show balances and locked bonds', operations: ['getAccount'] },
  deposit: {
    summary: 'deposit money of the wallet into its account, to bond claims',
    details: [
      'AMOUNT is in whole units, such as 2.5. The service builds the transactions; the command checks that they do nothing else, shows each one, and signs and sends it.',
      'Safe to repeat after an interruption: a transaction that was sent before is followed, not sent again. A deposit that was reported is made once more.',
    ],
    arguments: [{ name: 'AMOUNT', summary: 'amount in whole units' }],
    options: { rpc: RPC, yes: YES },
    operations: ['buildAccountDepositTransactions', 'getAccountPosition'],
    examples: ['agent-work deposit 2.5'],
  },
  recall: {
    summary: 'bring lent balance back into the account',
    details: [
      'Ends the consent to idle-balance allocation first, so that the operator lends nothing again. Without AMOUNT everything comes back, from each strategy that pays at once.',
      'agent-work account shows what is lent. agent-work withdraw AMOUNT then pays it to the wallet.',
      'Safe to repeat after an interruption: a transaction that was sent before is followed, not sent again.',
    ],
    arguments: [{ name: 'AMOUNT', summary: 'amount in whole units (default: everything)', isOptional: true }],
    options: { rpc: RPC, yes: YES },
    operations: ['buildRecallTransactions', 'getAccountPosition', 'revokeIdleAllocation'],
    examples: ['agent-work recall', 'agent-work recall 2.5 --yes'],
  },
  withdraw: {
    summary: 'pay balance of the account to the wallet',
    details: [
      'AMOUNT is in whole units, at most what agent-work account shows as withdrawable. A refusal names where the rest is, and the way home.',
      'Safe to repeat after an interruption: a transaction that was sent before is followed, not sent again. A withdrawal that was reported is made once more.',
    ],
    arguments: [{ name: 'AMOUNT', summary: 'amount in whole units' }],
    options: { rpc: RPC, yes: YES },
    operations: ['buildAccountWithdrawTransactions', 'getAccountPosition'],
    examples: ['agent-work withdraw 2.5'],
  },
  faucet: {
    summary: 'get test money and gas, on a local chain only',
    details: ['Each run pays again.'],
    arguments: [{ name: 'AMOUNT', summary: 'test money in whole units (default 5)', isOptional: true }],
    options: { rpc: RPC },
    operations: ['getPool'],
  },
  mcp: {
    summary: 'connect a client of the Model Context Protocol on standard input and output',
    details: [
      'For hosts that start a program for their tools, and cannot sign in themselves. Each message goes to the service with the token of a delegate: a part of the power of the wallet, with a limit and an end.',
      'Without a token file the key signs once for such a delegate, and is then removed from memory. It needs --passphrase-file or AGENT_WORK_PASSPHRASE: the command asks nothing. At its end it revokes the delegate.',
      'A delegate whose time is over is replaced. One that the owner has revoked is not, until the command is started again.',
    ],
    options: {
      'token-file': { value: 'FILE', summary: 'token of a delegate or service (else: AGENT_WORK_TOKEN_FILE, else the key signs)' },
      'key-file': { value: 'FILE', summary: 'key that signs (default: that of the last login)' },
      ...DELEGATE_TERMS,
    },
    operations: ['sendMcpMessage', 'issueNonce', 'verifySignature', 'logout', 'getPool'],
    timeoutSeconds: Number.POSITIVE_INFINITY,
    examples: ['agent-work mcp --passphrase-file pass.txt --bond-per-day 2.5', 'agent-work mcp --token-file delegate.token'],
  },
  delegate: {
    summary: 'let a program act for this wallet in part, list these delegates, or end them',
    details: [
      'create shows the sentence that grants, asks, and signs it with the key. It prints the token once, or writes it to a new file for you alone. The other commands and agent-work mcp use such a file, when AGENT_WORK_TOKEN_FILE names it, without a key.',
      'A delegate reads, claims and submits within its terms. It never moves money, gives consents or grants anything.',
      'revoke ends one delegate, or with --all every one. It takes effect at once. What it claimed stays claimed.',
    ],
    arguments: [
      { name: 'ACTION', summary: 'create, list or revoke', choices: ['create', 'list', 'revoke'] },
      { name: 'ID', summary: 'grant of a delegate, from its list; for revoke', isOptional: true },
    ],
    options: {
      name: { value: 'NAME', summary: 'name of the delegate; for create' },
      ...DELEGATE_TERMS,
      'key-file': { value: 'FILE', summary: 'key that signs (default: that of the last login)' },
      out: { value: 'FILE', summary: 'write the token to a new file instead of showing it' },
      all: { summary: 'revoke every delegate' },
      yes: YES,
    },
    operations: ['listDelegates', 'revokeDelegates', 'issueNonce', 'verifySignature', 'getPool'],
    examples: [
      'agent-work delegate create --name Night --bond-per-day 7 --days 3 --out night.token',
      'AGENT_WORK_TOKEN_FILE=night.token agent-work jobs --claimable',
      'agent-work delegate revoke --all',
    ],
  },
  admin: {
    summary: 'for operators: list jobs from sources, and steer sources, lanes and templates',
    details: [
      'The wallet, or the token, needs the role of an admin.',
      'sources shows each source of jobs with its schedule and what its jobs cost. ingest PROVIDER runs over one: a dry run that lists nothing, unless --create is given. The exit code 1 says that jobs were refused. items [PROVIDER] shows what became of each candidate.',
      'steer PROVIDER pause, resume or trigger changes the schedule of a source; --dry, --live and --input change its runs from now on.',
      'lanes shows budget and use of each lane, lane LANE pause or resume opens and closes one. template ID fire, pause or resume acts on a recurring job. sweep compares every definition with its hash. jobs lists every job, also paused and archived ones.',
    ],
    arguments: [
      { name: 'ACTION', summary: ADMIN_ACTIONS.join(', '), choices: ADMIN_ACTIONS },
      { name: 'NAME', summary: 'provider, such as github; lane; or id of a template', isOptional: true },
      { name: 'CHANGE', summary: 'pause, resume, trigger or fire', isOptional: true },
    ],
    options: {
      create: { summary: 'list the jobs of a run; for ingest' },
      limit: { value: 'COUNT', summary: 'jobs of a run at most (default 10), or rows to show (default 25)' },
      'min-score': { value: 'SCORE', summary: 'leave out candidates with a lower score (default 55); for ingest' },
      input: { value: 'FILE', summary: 'JSON file with the own members of the source, or - for standard input' },
      outcome: { value: 'OUTCOME', summary: 'only candidates with this outcome; for items', choices: ITEM_OUTCOMES },
      dry: { summary: 'runs of the schedule list nothing from now on; for steer' },
      live: { summary: 'runs of the schedule list jobs from now on; for steer' },
      note: { value: 'TEXT', summary: 'why, for operators; for steer' },
      reason: { value: 'TEXT', summary: 'why, for the record; for lane and template' },
      state: { value: 'STATE', summary: 'only jobs in this state; for jobs', choices: STATES },
    },
    operations: [
      'listSources',
      'ingestGithub',
      'ingestWikipedia',
      'ingestOsv',
      'ingestOpenData',
      'ingestOpenapi',
      'ingestStandards',
      'listSourceItems',
      'steerSource',
      'listLanes',
      'setLaneState',
      'fireTemplate',
      'pauseTemplate',
      'resumeTemplate',
      'sweepDefinitions',
      'listAdminJobs',
    ],
    timeoutSeconds: 900,
    examples: [
      'agent-work admin ingest wikipedia --limit 5',
      'agent-work admin ingest github --input query.json --create',
      'agent-work admin steer github pause --note "The code host asked to wait."',
    ],
  },
  'verify-record': {
    summary: 'check a badge, a receipt, a dispute file or a history yourself',
    details: [
      'All words after the name go to that program: agent-work verify-record --help. Its exit codes are its own: 0 sound, 1 not sound, 2 not a record or not readable, 3 cannot be decided.',
    ],
    timeoutSeconds: Number.POSITIVE_INFINITY,
    passesArguments: true,
  },
  completion: {
    summary: 'print a completion script for a shell',
    arguments: [{ name: 'SHELL', summary: 'bash or zsh', choices: SHELLS }],
    examples: ['source <(agent-work completion bash)'],
  },
  help: {
    summary: 'show all commands, or one',
    arguments: [{ name: 'COMMAND', summary: 'name of a command', isOptional: true }],
  },
  version: { summary: 'show the version of this program' },
} satisfies Record<string, CommandRow>

export type CommandName = keyof typeof ROWS

/** One command: parser, help, completion and tests come from this row. */
export type CommandSpec = CommandRow & Required<Pick<CommandRow, 'arguments' | 'options' | 'operations'>> & { name: CommandName }

export const COMMANDS: readonly CommandSpec[] = Object.entries(ROWS).map(([name, row]) => ({
  name: name as CommandName,
  arguments: [],
  options: {},
  operations: [],
  ...row,
}))
