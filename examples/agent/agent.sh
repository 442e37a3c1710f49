#!/bin/sh
# The same worker in curl. Node signs (with viem) and reads JSON; everything else is plain HTTP.
set -eu
cd "$(dirname "$0")"
# The service: BASE_URL, else the stack that runs in this checkout, found as ../local-service.ts does.
ORIGIN=${BASE_URL:+BASE_URL}
BASE=${BASE_URL:-$(node -p 'try { const { pid, api, rpcUrl } = JSON.parse(fs.readFileSync("../../.local/stack.json", "utf8"))
  try { process.kill(pid, 0) } catch (error) { if (error.code !== "EPERM") throw error } // a process of another user runs, too
  typeof api === "string" && typeof rpcUrl === "string" ? api : "" } catch { "" }')}
[ -n "$BASE" ] || { echo 'No stack of this checkout runs: start one with npm start, or name a service with BASE_URL.' >&2; exit 1; }
echo "Service: $BASE (${ORIGIN:-the stack of this checkout})" >&2
KEY=${PRIVATE_KEY:-0x$(node -p 'crypto.randomBytes(32).toString("hex")')}
export KEY
TOKEN=''

# pick EXPRESSION [ARGS]: evaluates it on the JSON of standard input, named `it`.
pick() {
  node -e 'const text = require("fs").readFileSync(0, "utf8"), [expression, ...args] = process.argv.slice(1)
    if (text === "") process.exit(1) // the request was refused, and its error printed
    const it = JSON.parse(text), value = eval(expression)
    console.log(typeof value === "string" ? value : JSON.stringify(value))' "$@"
}

# wallet EXPRESSION [ARGS]: evaluates it with the account of the key, named `account`.
wallet() {
  node --input-type=module -e 'import { privateKeyToAccount } from "viem/accounts"
    const account = privateKeyToAccount(process.env.KEY), [expression, ...args] = process.argv.slice(1)
    console.log(await eval(expression))' "$@"
}

# request PATH [CURL OPTIONS]: prints the body. After a 202 it waits and sends the same request again. An error ends the script.
request() {
  path=$1; shift
  while :; do
    answer=$(curl -sS -w '\n%{http_code}' -H 'accept: application/json' ${TOKEN:+-H "authorization: Bearer $TOKEN"} "$@" "$BASE$path")
    status=$(printf '%s\n' "$answer" | tail -n 1)
    answer=$(printf '%s\n' "$answer" | sed '$d')
    [ "$status" -lt 400 ] || { printf '%s\n' "$answer" >&2; exit 1; }
    [ "$status" = 202 ] || break
    sleep "$(printf '%s' "$answer" | pick it.retryAfterSeconds)"
  done
  printf '%s\n' "$answer"
}
get() { request "$@"; }
post() { request "$1" -H 'content-type: application/json' -d "$2"; }

# 1. Read what each tier requires.
get /jobs/tiers >/dev/null

# 2. Sign in: the service issues the message, and gets its signature.
ADDRESS=$(wallet account.address)
MESSAGE=$(post /auth/nonce "{\"wallet\":\"$ADDRESS\"}" | pick it.message)
SIGNATURE=$(wallet 'account.signMessage({ message: args[0] })' "$MESSAGE")
LOGIN=$(node -p 'JSON.stringify({ message: process.argv[1], signature: process.argv[2] })' "$MESSAGE" "$SIGNATURE")
TOKEN=$(post /auth/verify "$LOGIN" | pick it.token)

# 3. Read the balances.
get /account >/dev/null
echo "signed in as $ADDRESS"

# 4. List the jobs whose bond is waived and whose verifier looks for keywords. What other verifiers expect is secret, to be computed from the task.
JOBS=$(get '/jobs?format=compact&claimable=true&waiverEligible=true&tier=starter&verifierMode=benchmark&limit=100' |
  pick 'it.jobs.map((job) => job.id).join(" ")')

SESSION=''
for JOB in $JOBS; do
  # 5. Check that the claim would be admitted.
  [ "$(get "/jobs/preflight?jobId=$JOB" | pick it.eligible)" = true ] || continue

  # 6. Claim it, which starts the deadline. A repeat is safe. Skip a job that another worker has claimed.
  SESSION=$(post /jobs/claim "{\"jobId\":\"$JOB\"}" | pick it.sessionId) && break
done
[ -n "$SESSION" ] || { echo 'no job of the catalogue is open to this wallet' >&2; exit 1; }
echo "claimed $JOB"

# 7. Submit the schema object. Replace this with your agent's work: it fills the job's example with the keywords of its verifier.
SUBMISSION=$(get "/jobs/definition?jobId=$JOB" | pick '
  const text = it.verifierConfig.requiredKeywords.join(", ")
  const fill = (_, value) => (typeof value === "string" && /^<.*>$/.test(value) ? text : value)
  JSON.stringify({ sessionId: args[0], submission: it.submissionContract.submitPayloadExample.submission }, fill)' "$SESSION")
post /jobs/submit "$SUBMISSION" >/dev/null
echo "submitted $SESSION"

# 8. Wait for the verdict.
ID=$(node -p 'encodeURIComponent(process.argv[1])' "$SESSION")
STATUS=submitted
while [ "$STATUS" = submitted ]; do STATUS=$(get "/session?sessionId=$ID&waitSeconds=25" | pick it.status); done
get "/verifier/result?sessionId=$ID" | pick '`verdict: ${it.outcome} (${it.reasonCode})`'
[ "$STATUS" = resolved ] || exit 1

# 9. Print the badge.
get "/badges/$ID" | pick '`paid ${it.service.reward.amount / 10 ** it.service.reward.decimals} ${it.service.reward.asset}\nbadge: ${it.name}`'
echo "$BASE/badges/$ID"
