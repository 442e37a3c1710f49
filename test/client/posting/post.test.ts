import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from '@jest/globals'
import { encodeCall, word } from '../../../client/cli/chain/calls.ts'
import { interruptedBy } from '../../../client/cli/run.ts'
import { mine, TOKEN } from '../support/scripted-chain.ts'
import { DEFINITION, ESCROW, type ScriptedPosting, startScriptedPosting } from '../support/scripted-posting.ts'
import { json, problem, type Script } from '../support/scripted-service.ts'

let chain: ScriptedPosting
afterEach(() => chain.close())

const start = async (scripts?: Record<string, Script>): Promise<ScriptedPosting['posting']> => {
  chain = await startScriptedPosting(scripts)
  return chain.posting
}
const fund = (...more: string[]) => chain.run(['post', 'fund', chain.posting.draft.draftId, '--yes', ...more])
const OTHER = `0x${'ab'.repeat(20)}`
const HASH = `0x${'cd'.repeat(32)}`

describe('post fund', () => {
  test('sends approval, deposit and creation of the draft, each after the one before it', async () => {
    await start()
    const { exit, document } = await fund()
    expect([exit, document.transactions.map(({ step }: { step: string }) => step)]).toEqual([0, ['approve', 'deposit', 'create']])
    expect(chain.node.taken).toEqual(document.transactions.map(({ hash }: { hash: string }) => hash))
    expect(chain.record()).toBeUndefined()
  })

  test('finds the draft by its job, too', async () => {
    const { draft } = await start({
      'GET /poster/jobs': (_request, response) =>
        json(response, 200, { jobs: [{ jobId: draft.jobId, draftId: draft.draftId }], nextCursor: null }),
    })
    expect((await chain.run(['post', 'fund', draft.jobId, '--yes'])).exit).toBe(0)
  })

  test('sends nothing for a draft that is funded', async () => {
    const { draft } = await start()
    Object.assign(draft, { fundingStatus: 'funded', status: 'live' })
    expect(await fund()).toMatchObject({ exit: 0, document: { transactions: [] } })
    draft.status = 'mismatch'
    expect(await fund()).toMatchObject({ exit: 1, document: { transactions: [] } })
    draft.fundingStatus = 'unfunded'
    chain.service.scripts[`POST /jobs/draft/${draft.draftId}/transactions`] = (_request, response) =>
      problem(response, 409, 'external_draft_already_funded')
    expect(await fund()).toMatchObject({ exit: 0, document: { transactions: [] } })
    expect(chain.node.taken).toEqual([])
  })

  test('sends nothing without a terminal and without --yes', async () => {
    const { draft } = await start()
    const { exit, error } = await chain.runForPeople(['post', 'fund', draft.draftId])
    expect([exit, chain.node.taken]).toEqual([2, []])
    expect(error).toMatch(/You pay in all +2\.1 USDC[\s\S]*Transaction 1 of 3: approve[\s\S]*Add --yes/)
  })

  test('shows the checked calls of a native account, and sends nothing', async () => {
    const { draft, funding } = await start()
    chain.becomeNative()
    const { exit, document } = await fund()
    expect([exit, document.status]).toEqual([1, 'not_sent'])
    expect(document.calls.map(({ step, args }: { step: string; args: object }) => [step, args])).toEqual(
      funding.templates.map(({ step, to, data }) => [step, expect.objectContaining({ dest: to, data })]),
    )
    draft.specHash = HASH as typeof draft.specHash
    expect((await fund()).document.detail).toMatch(/another specHash/)
    expect(chain.node.calls).toEqual([])
  })

  test('follows a creation that an interrupted command sent, and sends nothing twice', async () => {
    const { funding } = await start()
    funding.templates = funding.templates.slice(-1)
    funding.deposit.required = false
    chain.node.isMining = false
    const interruption = new AbortController()
    chain.node.onCall = (method) => {
      if (method === 'eth_getTransactionReceipt' && chain.node.taken.length > 0) interruption.abort(interruptedBy('SIGINT'))
    }
    expect((await chain.run(['post', 'fund', chain.posting.draft.draftId, '--yes'], interruption.signal)).exit).toBe(130)
    const { hash, raw } = chain.record() ?? {}
    chain.node.onCall = () => undefined
    mine(chain.node, String(hash), String(raw))
    expect(await fund()).toMatchObject({ exit: 0, document: { transactions: [{ step: 'create', hash }] } })
    expect(chain.node.taken).toEqual([hash])
  })

  type Change = (posting: ScriptedPosting['posting']) => void
  const template = (index: number, change: object): Change => {
    return ({ funding }) => {
      funding.templates = funding.templates.map((one, at) => (at === index ? { ...one, ...change } : one))
    }
  }
  const creation = (index: number, value: string): Change => {
    return ({ funding }) => {
      const [create] = funding.templates.slice(-1)
      const start = 10 + index * 64
      if (create !== undefined) create.data = create.data.slice(0, start) + value + create.data.slice(start + 64)
    }
  }
  test.each<[string, Change, RegExp]>([
    ['the creation has another job', creation(0, word(HASH)), /another argument 1/],
    ['the creation has another asset', creation(1, word(OTHER)), /another argument 2/],
    ['the creation has another reward', creation(2, word(3_000_000n)), /another argument 3/],
    ['the creation has another reserve', creation(3, word(1n)), /another argument 4/],
    ['the creation has another contingency reserve', creation(4, word(1n)), /another argument 5/],
    ['the creation has another time', creation(5, word(60n)), /another argument 6/],
    ['the creation has another verifier', creation(6, word(HASH)), /another argument 7/],
    ['the creation has another category', creation(7, word(HASH)), /another argument 8/],
    ['the creation has another specHash', creation(8, word(HASH)), /another argument 9/],
    ['the creation is in another contract', template(2, { to: OTHER }), /another contract than the escrow/],
    ['the creation is another call', template(2, { data: encodeCall('cancelOpenJob(bytes32)', word(HASH)) }), /is not createSingle/],
    ['the deposit is in another contract', template(1, { to: OTHER }), /another contract than that of the account/],
    [
      'the deposit is of another amount',
      template(1, { data: encodeCall('deposit(address,uint256)', word(TOKEN), word(9n)) }),
      /argument 2/,
    ],
    [
      'the approval is for another contract',
      template(0, { data: encodeCall('approve(address,uint256)', word(OTHER), word(9n)) }),
      /argument 1/,
    ],
    ['the approval is of another token', template(0, { to: OTHER }), /another contract than the token/],
    ['it moves native money', template(2, { value: '1' }), /native money/],
    ['it is of another wallet', template(2, { from: OTHER }), /another wallet/],
    ['it is of another chain', template(2, { chainId: 1 }), /another chain/],
    [
      'it deposits more than the draft costs',
      ({ funding }) => {
        funding.deposit.amount.raw = '2100001'
      },
      /costs more than the draft/,
    ],
    [
      'it reserves more than the draft costs',
      ({ funding }) => {
        funding.posterReserved.raw = '2100001'
      },
      /costs more than the draft/,
    ],
    [
      'it deposits although none is needed',
      ({ funding }) => {
        funding.deposit.required = false
      },
      /other transactions than a funding/,
    ],
    [
      'the draft has another hash than its definition',
      ({ draft }) => {
        draft.specHash = HASH as typeof draft.specHash
      },
      /another specHash/,
    ],
    [
      'the draft has the job of another wallet',
      ({ draft }) => {
        draft.jobId = HASH as typeof draft.jobId
      },
      /another jobId/,
    ],
    [
      'the draft has a changed definition',
      ({ draft }) => {
        draft.definition.title = 'Another task'
      },
      /another specHash/,
    ],
    [
      'the draft asks for another reward',
      ({ draft }) => {
        draft.fundingRequirement.rewardRaw = '3000000'
      },
      /another reward/,
    ],
    [
      'the sum of the draft is not that of its parts',
      ({ draft }) => {
        draft.fundingRequirement.posterReservedRaw = '2200000'
      },
      /another sum/,
    ],
    [
      'the draft names another escrow',
      ({ draft }) => {
        draft.escrowAddress = OTHER
      },
      /another contract, token or chain/,
    ],
    [
      'the draft names another token',
      ({ place }) => {
        place.token = { ...place.token, address: OTHER }
      },
      /another contract, token or chain/,
    ],
  ])('sends nothing when %s', async (_, change, reason) => {
    const posting = await start()
    change(posting)
    const { exit, document } = await fund()
    expect([exit, document.detail]).toEqual([1, expect.stringMatching(reason)])
    expect([chain.node.taken, chain.record()]).toEqual([[], undefined])
  })
})

describe('post draft', () => {
  const draft = (content: object) => {
    const path = join(chain.state.directory, 'job.json')
    writeFileSync(path, JSON.stringify(content))
    return chain.run(['post', 'draft', path, '--yes'])
  }

  test('sends the definition of the file and answers with its ids and cost', async () => {
    const posting = await start()
    expect(await draft(DEFINITION)).toMatchObject({ exit: 0, document: { draftId: posting.draft.draftId } })
    expect(chain.service.of('POST /jobs/draft').map(({ body }) => JSON.parse(body))).toEqual([{ definition: DEFINITION }])
    expect(chain.node.calls).toEqual([])
  })

  test.each([
    ['rewardAmount', 1.5],
    ['opsReserve', 1],
    ['title', 'Another task'],
    ['claimTtlSeconds', 60],
    ['verifierMode', 'deterministic'],
  ])('refuses a draft with another %s than the file', async (name, value) => {
    await start()
    const { exit, document } = await draft({ ...DEFINITION, [name]: value })
    expect([exit, document.detail]).toEqual([1, expect.stringContaining(`another ${name} than the file`)])
  })
})

describe('post rehearse', () => {
  test('sends the files, and shows verdicts, paid placeholders and warnings', async () => {
    const { draft } = await start()
    const rehearsal = {
      submissions: [{ index: 1, outcome: 'rejected', score: 20, reasonCode: 'TOO_SHORT', detail: 'It lacks jitter.' }],
      placeholders: [{ kind: 'member_name', outcome: 'approved', reasonCode: 'MET' }],
      warnings: [{ code: 'placeholder_would_be_paid', message: 'It would be paid.' }],
    }
    chain.service.scripts[`POST /jobs/draft/${draft.draftId}/rehearse`] = (_request, response) =>
      json(response, 200, { draftId: draft.draftId, jobId: draft.jobId, rehearsal })
    const files = ['good', 'bad'].map((output) => {
      const path = join(chain.state.directory, `${output}.json`)
      writeFileSync(path, JSON.stringify({ output }))
      return path
    })
    const { exit, out } = await chain.runForPeople(['post', 'rehearse', draft.draftId, ...files])
    expect(exit).toBe(0)
    expect(out).toMatch(/bad\.json +rejected +20 +TOO_SHORT[\s\S]*lacks jitter[\s\S]*would be paid: member name[\s\S]*Warning: It would/)
    const [first] = chain.service.of(`POST /jobs/draft/${draft.draftId}/rehearse`)
    expect(JSON.parse(first?.body ?? '')).toEqual({ submissions: [{ output: 'good' }, { output: 'bad' }] })
  })
})

describe('post cancel', () => {
  const refund = { total: { asset: 'USDC', raw: '2100000', decimals: 6 } }
  const cancelling = (change: object = {}): Script => {
    return (_request, response) => {
      const { draft } = chain.posting
      const data = encodeCall('cancelOpenJob(bytes32)', word(draft.jobId))
      const template = { step: 'cancel', from: chain.wallet, to: ESCROW, data, value: '0', chainId: 31_337, ...change }
      json(response, 200, { jobId: draft.jobId, refund, templates: [template] })
    }
  }
  const cancel = async (script: Script) => {
    const { draft } = chain.posting
    chain.service.scripts[`POST /poster/jobs/${draft.jobId}/cancel/transactions`] = script
    return chain.run(['post', 'cancel', draft.jobId, '--yes'])
  }

  test('sends the cancellation of the job', async () => {
    await start()
    const { exit, document } = await cancel(cancelling())
    expect([exit, document.refund.total.raw, document.transactions.length]).toEqual([0, '2100000', 1])
  })

  test.each([
    ['of another job', { data: encodeCall('cancelOpenJob(bytes32)', word(HASH)) }, /another argument 1/],
    ['in another contract', { to: OTHER }, /another contract than the escrow/],
  ])('refuses a cancellation %s', async (_, change, reason) => {
    await start()
    const { exit, document } = await cancel(cancelling(change))
    expect([exit, document.detail, chain.node.taken]).toEqual([1, expect.stringMatching(reason), []])
  })

  test('says from when on a job can be cancelled that was funded within the hour', async () => {
    const { draft } = await start()
    const nextActions = [{ kind: 'wait', description: 'Wait until `earliestAt`.', availableAt: '2026-01-02T04:00:00.000Z' }]
    chain.service.scripts[`POST /poster/jobs/${draft.jobId}/cancel/transactions`] = (_request, response) =>
      problem(response, 409, 'external_cancel_too_early', { nextActions, retryable: true, retryAfterSeconds: 3000 })
    const { exit, error } = await chain.runForPeople(['post', 'cancel', draft.jobId, '--yes'])
    expect([exit, error]).toEqual([1, expect.stringContaining('From 2026-01-02T04:00:00.000Z on.')])
  })
})

describe('post watch', () => {
  const row = (changes: object) => ({
    jobId: chain.posting.draft.jobId,
    draftId: chain.posting.draft.draftId,
    status: 'live',
    claimState: 'open',
    fundedAt: '2026-01-02T03:00:00.000Z',
    next: { kind: 'wait', description: 'Wait.' },
    ...changes,
  })
  const claimed = { claimState: 'claimed', sessionSummary: { status: 'claimed', submittedAt: null, outcome: null } }
  const judged = {
    claimState: 'exhausted',
    sessionSummary: { status: 'resolved', submittedAt: '2026-01-02T03:10:00.000Z', outcome: 'approved' },
  }

  /** Watches while each event brings the next state of the row. */
  const watch = async (states: object[], ...options: string[]) => {
    let at = 0
    await start({
      'GET /poster/jobs': (_request, response) => json(response, 200, { jobs: [row(states[at] ?? {})], nextCursor: null }),
      'GET /events/poll': ({ url }, response) => {
        if (url.includes('waitSeconds')) at = Math.min(at + 1, states.length - 1)
        json(response, 200, { events: [], lastEventId: String(at), gap: false })
      },
    })
    return chain.runForPeople(['post', 'watch', chain.posting.draft.draftId, ...options])
  }

  test('shows each state until the job is settled', async () => {
    const { exit, out } = await watch([
      { status: 'awaiting_funding', claimState: null },
      {},
      {},
      claimed,
      judged,
      { ...judged, status: 'settled' },
    ])
    const states = [...out.matchAll(/^\S+ \S+ {2}(\S+)/gm)].map(([, state]) => state)
    expect([exit, states]).toEqual([0, ['awaiting_funding', 'live', 'claimed', 'judged', 'settled']])
  })

  test.each<[string, object[], number]>([
    ['live', [{ status: 'awaiting_funding', claimState: null }, {}], 0],
    ['claimed', [{}, claimed], 0],
    ['submitted', [claimed, judged], 0],
    ['judged', [claimed, judged], 0],
    ['refunded', [{}, { status: 'cancelled' }], 0],
    ['judged', [{}, { status: 'cancelled' }], 1],
    [
      'live',
      [
        { status: 'awaiting_funding', claimState: null },
        { status: 'mismatch', claimState: null },
      ],
      1,
    ],
  ])('--until %s with the states %j ends with %i', async (until, states, code) => {
    expect((await watch(states, '--until', until)).exit).toBe(code)
  })
})

test.each([
  [['fund'], 'post fund needs DRAFT.'],
  [['rehearse', HASH], 'post rehearse needs FILE.'],
  [['list', 'a'], 'post list has too many arguments.'],
  [['draft', 'a', 'b'], 'post draft has too many arguments.'],
  [['fund', HASH, '--until', 'live'], 'post fund takes no --until.'],
  [['watch', HASH, '--rpc', 'http://a'], 'post watch takes no --rpc.'],
  [['fund', 'a-job'], 'DRAFT is an id of 0x and 64 hex digits.'],
])('post %j is refused as wrong use', async (args, detail) => {
  await start()
  const { exit, document } = await chain.run(['post', ...args])
  expect([exit, document.detail]).toEqual([2, detail])
  expect(chain.service.received.filter(({ method }) => method === 'POST')).toEqual([])
})
