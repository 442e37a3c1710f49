import { html } from '../../../pages/html.ts'
import { CHECKOUT, KEY_IMPORTS, OPEN_KEY, readyStep, signInStep } from './common-steps.ts'
import { type Guide, type GuidePlace, onCode, subjectLink } from './guide.ts'

/** The wallet of the reader as a client of x402, and what it may pay. */
const WALLET = `import { readFileSync } from 'node:fs'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { x402Client } from '@x402/fetch'
${KEY_IMPORTS}

${OPEN_KEY}
export const account = privateKeyToAccount(\`0x\${privateKey.toString('hex')}\`)
const allowedAssets = JSON.parse(readFileSync('allow.json', 'utf8'))
const schemes = [{ network: allowedAssets[0].network, client: new ExactEvmScheme(account) }]
export const client = x402Client.fromConfig({ schemes, spendControls: { allowedAssets } })
export const request = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: readFileSync('request.json', 'utf8'),
}
export const runs = \`\${baseUrl}/verify/runs\``

/** Buys the run with the official client, and keeps the payment that it sent. */
const BUY = `import { writeFileSync } from 'node:fs'
import { wrapFetchWithPayment } from '@x402/fetch'
import { client, request, runs } from './wallet.ts'

const keeping: typeof fetch = (input, init) => {
  const sent = new Request(input, init)
  const payment = sent.headers.get('payment-signature')
  if (payment !== null) writeFileSync('payment.txt', payment)
  return fetch(sent)
}
const answer = await wrapFetchWithPayment(keeping, client)(runs, request)
const run = await answer.json()
if (!answer.ok) throw new Error(\`\${run.code}: \${run.detail}\`)
console.log(run.runUrl)`

/** Signs a payment that is never sent, and cancels its authorisation at the token. */
const CANCEL = `import { writeFileSync } from 'node:fs'
import { createPublicClient, createWalletClient, http, parseAbi, parseSignature } from 'viem'
import { account, client, request, runs } from './wallet.ts'

const challenge = await (await fetch(runs, request)).json()
const payment = await client.createPaymentPayload(challenge)
writeFileSync('unused.txt', Buffer.from(JSON.stringify(payment)).toString('base64'))

const { asset, network, extra } = payment.accepted as any
const { nonce } = (payment.payload as any).authorization
const domain = { name: extra.name, version: extra.version, chainId: Number(network.split(':')[1]), verifyingContract: asset }
const types = { CancelAuthorization: [{ name: 'authorizer', type: 'address' }, { name: 'nonce', type: 'bytes32' }] }
const message = { authorizer: account.address, nonce }
const { v, r, s } = parseSignature(await account.signTypedData({ domain, types, primaryType: 'CancelAuthorization', message }))

const transport = http(process.env.RPC)
const abi = parseAbi(['function cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)'])
const call = { chain: null, address: asset, abi, functionName: 'cancelAuthorization', args: [account.address, nonce, Number(v), r, s] }
const hash = await createWalletClient({ account, transport }).writeContract(call as never)
const { status } = await createPublicClient({ transport, pollingInterval: 500 }).waitForTransactionReceipt({ hash })
console.log(status)`

/** Writes the three files of the reader, and the request that names them by hash and address. */
const WRITE = `import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'

const sha256 = (text) => createHash('sha256').update(text).digest('hex')
const source = 'The bridge carries two lanes of traffic over the river, and has done so since 1894.'
const citation = { source: sha256(source), quote: 'carries two lanes of traffic', claim: '/lanes' }
const output = JSON.stringify({ lanes: 2, citations: [citation] })
const schema = JSON.stringify({ type: 'object', required: ['lanes'] })

const artefact = (name, text, format) => {
  writeFileSync(name, text)
  const locator = { kind: 'https', url: process.env.FILES + '/' + name }
  return { sha256: sha256(text), bytes: Buffer.byteLength(text), locator, format }
}
const inputs = {
  output: artefact('output.json', output, 'json'),
  schema: artefact('schema.json', schema, 'json-schema'),
  sources: [artefact('source.txt', source, 'text')],
}
const request = { profile: 'structured-output-evidence-v1', profileVersion: 1, target: {}, inputs }
writeFileSync('request.json', JSON.stringify(request))
console.log(inputs.output.locator.url)`

const JSON_HEADER = "-H 'content-type: application/json'"

/** From three files to a paid verdict on them, and an authorisation that is taken back. */
export const buyAVerification = ({ baseUrl, asset, ...place }: GuidePlace): Guide => ({
  name: 'buy-a-verification',
  title: 'Buy a verification',
  lead: 'Have an output checked against its sources, pay for the verdict by a signed authorisation, and take back one that was not used.',
  needs: html`${CHECKOUT}; the price in a plain account, which needs no gas to pay. The service asks for no sign-in: here it makes the key that pays.`,
  costs: html`The price of the profile, for an approval or a rejection. An inconclusive result is never billed.`,
  result: html`A verdict with each check, the transaction that paid it, and an authorisation that is cancelled.`,
  steps: [
    readyStep({ baseUrl, asset, ...place }),
    signInStep,
    {
      title: 'Get the money for it',
      words: html`The faucet pays test money to the wallet. The gas that it pays as well is for the last block alone.`,
      code: 'agent-work faucet 5',
      prints: `0x70997970C51812dc3A010C7d01b50e0d17dc79C8 got 5 ${asset} and 0.1 PAS for gas.`,
      refusals: [html`“The faucet pays on a local chain only”: the service is not a stack of your own.`],
      elsewhere: html`send the price to the address that the login printed, in the asset and on the network of the quote below.`,
    },
    {
      title: 'Write what is verified',
      words: html`The block writes an output, its schema and the source that it quotes, and the request that names them. The service fetches each file once and compares bytes and hash, so nothing can change after you have paid.`,
      code: `export FILES=$(npm run --silent status -- --json | field .artefacts)
npx node --input-type=module <<'END'
${WRITE}
END`,
      prints: 'https://127.0.0.1:8792/output.json',
      refusals: [html`“undefined/output.json”: no stack runs here. Start one with <code>npm start</code>.`],
      elsewhere: html`set <code>FILES</code> to an https address of your own, without a slash at its end.`,
    },
    {
      title: 'Publish it',
      words: html`The stack has a host of artefacts, whose certificate lies in its directory.`,
      code: `for NAME in output.json schema.json source.txt; do
  curl -sS --fail-with-body --cacert .local/artefacts.pem -T "$NAME" "$FILES/$NAME"
done
curl -sS --fail-with-body --cacert .local/artefacts.pem "$FILES/source.txt"`,
      prints: 'The bridge carries two lanes of traffic over the river, and has done so since 1894.',
      refusals: [
        html`“certificate problem”: the stack lies in another directory than <code>.local</code>. Name its <code>artefacts.pem</code>.`,
      ],
      elsewhere: html`put the three files there. The service reaches public addresses over TLS alone.`,
    },
    {
      title: 'Ask what it costs, and allow it',
      words: html`A quote creates nothing. Compare asset, network and payee with what you know of the service: a client of x402 refuses to pay in an asset that it does not know. The file <code>allow.json</code> is what your wallet may pay from here on, whatever a later answer demands.`,
      code: `curl -sS --fail-with-body "$AGENT_WORK_URL/verify/quote" ${JSON_HEADER} --data-binary @request.json > quote.json
field '.accepts.map(({ payTo, amount }) => amount + " to " + payTo)[0]' < quote.json
field '.accepts.map(({ network, asset, amount }) => JSON.stringify([{ network, asset, maxAmountPerPayment: amount }]))[0]' < quote.json > allow.json
cat allow.json`,
      prints: `5000000 to 0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc
[{"network":"eip155:420420417","asset":"0x5fbdb2315678afecb367f032d93f642f64180aa3","maxAmountPerPayment":"5000000"}]`,
      refusals: [
        onCode('verification_profile_not_found', html`the profiles and their versions are at ${subjectLink('Verification')}.`),
        onCode('verification_profile_unavailable', 'no run of this profile is sold now; the reason says why.'),
        onCode('invalid_request', 'each line names the member that the profile does not take.'),
      ],
    },
    {
      title: 'Ask for the run without a payment',
      words: html`The answer is 402 with the same terms, in the body and in the header <code>PAYMENT-REQUIRED</code>. Nothing is stored.`,
      code: `curl -sS -D headers.txt "$AGENT_WORK_URL/verify/runs" ${JSON_HEADER} --data-binary @request.json > unpaid.json
field .code < unpaid.json
field .accepts[0].amount < unpaid.json
grep -ci '^payment-required:' headers.txt`,
      prints: `verification_payment_required
5000000
1`,
      refusals: [onCode('invalid_request', 'the request is checked before its payment.')],
    },
    {
      title: 'Pay and start it',
      words: html`The official client sends the request, reads the 402, signs the payment and sends the request again. The signature moves no money by itself: the service takes the price when the verdict stands. In a project of your own: <code>npm install @x402/fetch @x402/evm viem</code>. By tools, <code>startVerificationRun</code> takes the same payment as <code>x402/payment</code> in <code>_meta</code>.`,
      code: `cat > wallet.ts <<'END'
${WALLET}
END
cat > buy.ts <<'END'
${BUY}
END
RUN=$(npx node buy.ts)
echo "$RUN"`,
      prints: `${baseUrl}/verify/runs/verify-60746924-bf50-8097-949f-6056f9de3d00`,
      refusals: [
        html`“rejected by spendControls”: the 402 demands more than <code>allow.json</code>, or another asset. Nothing was signed. Ask for a quote again.`,
        onCode('payment_insufficient_funds', 'the wallet has less than the price.'),
        onCode('payment_authorization_expiry_margin_insufficient', 'the clock of this computer is behind that of the chain.'),
        onCode('payment_payer_blocked', 'the wallet has three runs that are not paid yet, or could not be.'),
      ],
    },
    {
      title: 'Read the verdict',
      words: html`The address of the run is the right to read it: keep it to yourself. The verdict appears once it is paid, or will not be billed. The header <code>PAYMENT-RESPONSE</code> states the transaction.`,
      code: `until curl -sS --fail-with-body "$RUN" > run.json && [ "$(field .status < run.json)" = complete ]; do sleep 1; done
field .verdict < run.json
field '.execution.checks.map(({ id, passed }) => id + " " + passed).join("\\n")' < run.json
field .billing.status < run.json
PAID=$(curl -sS -o run.json -D - "$RUN" | tr -d '\\r' | grep -i '^payment-response:' | cut -d' ' -f2)
node -pe 'JSON.parse(Buffer.from(process.argv[1], "base64")).transaction' "$PAID"`,
      prints: `approved
output-json true
schema-valid true
captured
0x8b648a3dc7191b3706fe0fd090f8f009b86f887f8c83bb1a767d737517ae8cf8`,
      refusals: [
        onCode('verification_run_not_found', 'no run has this address, or its thirty days are over.'),
        html`<code>inconclusive</code> and <code>not_billed</code>: the service could not decide, and <code>.billing.reason</code> says why. The payment is not taken.`,
        html`<code>uncollectable</code>: the money was gone. The verdict stays hidden.`,
      ],
    },
    {
      title: 'Send it again',
      words: html`The same request with the same payment answers the same run, at any time: a lost answer costs nothing. Once it is on chain, the authorisation is public. Until it expires, anyone who knows the whole request can present it again, and gets this run. Where that matters, keep the request to yourself.`,
      code: `AGAIN=$(curl -sS --fail-with-body "$AGENT_WORK_URL/verify/runs" ${JSON_HEADER} \\
  -H "payment-signature: $(cat payment.txt)" --data-binary @request.json | field .runUrl)
[ "$AGAIN" = "$RUN" ] && echo 'The same run.'`,
      prints: 'The same run.',
      refusals: [onCode('payment_authorization_reused', 'the payment belongs to another request. Pay this one by a new authorisation.')],
    },
    {
      title: 'Take an authorisation back',
      words: html`An authorisation that was signed and not used, such as that of an inconclusive run, ends by itself at its <code>validBefore</code>. <code>cancelAuthorization</code> of the token ends it at once, by a transaction. The block signs a second payment, cancels it, and shows that the service refuses it.`,
      code: `export RPC=$(npm run --silent status -- --json | field .rpcUrl)
cat > cancel.ts <<'END'
${CANCEL}
END
npx node cancel.ts
curl -sS "$AGENT_WORK_URL/verify/runs" ${JSON_HEADER} \\
  -H "payment-signature: $(cat unused.txt)" --data-binary @request.json | field .code`,
      prints: `success
payment_authorization_used`,
      refusals: [
        html`“insufficient funds for gas”: the wallet has no native money of the payment network.`,
        onCode('payment_authorization_used', 'the expected answer: the token has cancelled the authorisation, or has executed it.'),
      ],
      elsewhere: html`set <code>RPC</code> to a node of the network of the quote.`,
    },
  ],
  next: [
    ['/docs/verification', 'Verification', 'Profiles, quotes and runs, with every member.'],
    ['/docs/guides/tool-client', 'Connect a tool client', 'The tools of the service for an agent.'],
    ['/docs/guides/verify-a-record', 'Verify a record', 'Check what the service has signed, without trusting it.'],
  ],
})
