/** Groups of operations in the order of the documents, each with what it is for. */
export const TAGS = [
  { name: 'Sign-in', description: 'Exchange a signed message for a bearer token, refresh it, end it.' },
  { name: 'OAuth', description: 'Let a client of the tool protocol act for a wallet: discovery, consent by signature, tokens.' },
  { name: 'Platform', description: 'Health, metrics and the documents that describe the service.' },
  { name: 'Tools', description: 'The same functions as tools of the Model Context Protocol.' },
  { name: 'Jobs', description: 'Find jobs, claim them, check and submit work.' },
  { name: 'Posting', description: 'Draft a job of your own, fund it from the own wallet, watch it, take the money back.' },
  { name: 'Eligibility', description: 'What a claim by a wallet would cost and earn, and what stands against it.' },
  { name: 'Sessions', description: 'Attempts of a wallet on a job, from the claim to the outcome.' },
  { name: 'Events', description: 'What happens to the sessions, disputes and balances of a wallet, as a stream or a poll.' },
  { name: 'Verification', description: 'Verdicts on submitted work, by verifiers and by people.' },
  { name: 'Disputes', description: 'Rejections that the worker or an operator contests, and their verdicts.' },
  { name: 'Directory', description: 'Workers who let everyone read their profile, and the consent to it.' },
  { name: 'Content', description: 'Stored documents by their hash: submissions, job definitions, rationales, consents.' },
  { name: 'Shares', description: 'Frozen, redacted copies of records for everyone who has their address.' },
  { name: 'Badges', description: 'Signed statements of approved work.' },
  { name: 'Receipts', description: 'Signed statements of ended work, and the schemas of signed documents.' },
  { name: 'Account', description: 'Balances, deposits, standing and limits of a wallet.' },
  { name: 'Pool', description: 'The deposit pool: its price, a wallet’s shares and how its deposits vest.' },
  { name: 'Credit', description: 'The credit pool: loans against pledged shares of the deposit pool, and deposits of lenders.' },
  { name: 'Locked deposits', description: 'Balance that a wallet locks for a term, for a tier and its perks.' },
  { name: 'Cross-chain', description: 'Requests to a yield source on another chain.' },
  { name: 'Grants', description: 'Capabilities that admins grant, to a wallet or with a service token.' },
  { name: 'Sources', description: 'Jobs from sources of work: runs, schedules and what became of each candidate.' },
  { name: 'Admin', description: 'Operations of the operators of the service.' },
] as const satisfies readonly { name: string; description: string }[]

export type TagName = (typeof TAGS)[number]['name']
