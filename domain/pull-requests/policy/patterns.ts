// Families of sentences by which maintainers speak of contributions that agents prepare. Every repetition is bounded.

const TOOL =
  '(?:\\b(?:AI|A\\.I\\.|artificial[ -]intelligence|LLMs?|(?:large[ -])?language[ -]models?|gen(?:erative)?[ -]?AI|generative models?|ChatGPT|GPT(?:-?[0-9][0-9o.]*)?|Copilot|Claude|Gemini|Codex|Devin|Cursor)(?:[ -](?:tools?|tooling|agents?|assistants?|models?|bots?|systems?|chatbots?|assistance|services?|software|code))?\\b)'
const AGENT = '(?:\\b(?:autonomous|automated|unattended|coding|software)[ -](?:agents?|bots?|accounts?|tools?)\\b|\\bbots\\b|\\bagents\\b)'
const ANY = `(?:${TOOL}|${AGENT})`
const PROPOSAL = '(?:contributions?|pull[ -]?requests?|PRs?|MRs?|merge[ -]requests?|patch(?:es)?|submissions?|issues?)'
const WORK = `(?:${PROPOSAL}|code|commits?|changes?|content|text|comments?|reports?|descriptions?|documentation|work)`
const MADE =
  '(?:generated|written|assisted|authored|produced|created|coded|made|driven|aided|drafted|crafted|composed|derived|opened|submitted|contributed|prepared|supported|enhanced)'
const words = (most: number): string => `(?:[ ,/-]{1,3}[\\w'’]+){0,${most}}`

/** Work that an agent or a model has made, or its use. */
export const AUTHORED = new RegExp(
  [
    `${TOOL}${words(2)}[ -]${MADE}\\b`,
    `\\b${MADE}${words(4)}[ ,]+(?:\\w+ )?${ANY}`,
    `\\b(?:use|uses|used|using|usage|help|rely|relying|via|through|from|with|by|of)${words(3)} ${ANY}`,
    `${TOOL}[ -](?:use|usage|assistance|involvement|help|output|slop|policy|disclosure)\\b`,
    `${ANY}[ -]${WORK}\\b`,
    '\\bvibe[ -]?cod(?:ed|ing)\\b',
    '\\b(?:machine|computer)[ -]generated\\b',
    '\\bslop\\b',
    `\\b(?:auto(?:matically)?[ -]?generated|automated|autonomous|unattended|bot|agentic|robotic?)(?: or \\w+)? (?:\\w+ )?${PROPOSAL}\\b`,
  ].join('|'),
  'i',
)
/** Names a model or an agent, without more. */
export const NAMES_TOOL = new RegExp(ANY, 'i')

const NOT =
  "(?:\\b(?:do(?:es)?|did|will|can|must|may|should|shall|are|is|be|would)(?: not|n['’]t)\\b|\\bwon['’]t\\b|\\bcan(?:not|['’]t)\\b|\\bnever\\b|\\bnot\\b|\\bno longer\\b|\\bneither\\b|\\bnor\\b)"
const TAKE =
  '(?:accept(?:s|ed|ing|able)?|allow(?:s|ed|ing)?|permit(?:s|ted|ting)?|want(?:s|ed)?|welcome[ds]?|merg(?:e|es|ed|ing)|tak(?:e|es|en|ing)|consider(?:s|ed|ing)?|review(?:s|ed|ing)?|submit(?:s|ted|ting)?|open(?:s|ed|ing)?|send(?:s|ing)?|sent|us(?:e|es|ed|ing)|contribut(?:e|es|ed|ing)|post(?:s|ed|ing)?|file[ds]?|filing|tolerate[ds]?|appreciate[ds]?|create[ds]?|make|include[ds]?|desired|eligible|rais(?:e|es|ed|ing)|engag(?:e|ed|ing))'

/** The maintainers refuse what the sentence speaks of. */
export const REFUSED = new RegExp(
  [
    `${NOT}${words(4)}[ ,:]+${TAKE}\\b`,
    '\\b(?:prohibit(?:s|ed)?|prohibition|forb(?:id|ids|ade|idden)|ban(?:s|ned)?|disallow(?:s|ed)?|reject(?:s|ed)?|refus(?:e|es|ed)|declin(?:e|es|ed)|unwelcome|unacceptable|unwanted|off[- ]limits|zero[- ]tolerance)\\b',
    '\\b(?:will|may|shall|are|is|be|get|gets|being)(?: be)?(?: \\w+){0,3} (?:closed|deleted|removed|blocked|reverted|ignored|locked|discarded|marked as spam)\\b',
    '\\b(?:we|I|maintainers)(?: \\w+){0,3} (?:close|delete|block|ignore|revert|lock)\\b',
    `^(?:strictly |absolutely |please,? )?no\\b(?: \\w+){0,2}[ :]+(?=${ANY}|automated|vibe|machine|slop|bot|autonomous)`,
    `\\b(?:accept|allow|want|take|with|there (?:is|are|must be)|contain(?:s|ing)?) no (?:\\w+ ){0,2}(?=${ANY}|automated|vibe|machine|slop|autonomous)`,
    '\\b(?:refrain|abstain) from\\b',
    '\\b(?:please|must|should) avoid\\b|^avoid\\b',
    `\\bnot for (?:\\w+ ){0,2}${WORK}\\b`,
  ].join('|'),
  'i',
)
/** Only people may contribute. */
export const HUMANS_ONLY =
  /\b(?:humans? only|human[- ]only|(?:only|exclusively)(?: \w+){0,4} (?:by|from|to|for) (?:a )?(?:humans?|people)\b|only (?:accept |take |merge |allow )?human[- ](?:written|made|authored)|(?:must|has to|have to) be (?:\w+ ){0,2}(?:written|made|authored) (?:\w+ )?by (?:a )?(?:humans?|people|person))/i
/** An agent may not open pull requests itself. */
export const AGENT_MAY_NOT = new RegExp(
  `${ANY}${words(3)} ${NOT}${words(3)} (?:submit|open|send|create|contribute|file|post|make|work on|pick up|claim|take|allowed|permitted|welcome|accepted)\\w*`,
  'i',
)
/** Where a whole file addresses agents, this refuses without naming them. */
export const NO_PROPOSALS = new RegExp(
  `^(?:please )?(?:${NOT})${words(2)} (?:open|submit|create|send|file)${words(3)} (?:pull[ -]?requests?|PRs?|contributions?)(?: (?:to|in|against) this (?:repository|project|repo))?[.!]?$`,
  'i',
)

/** The refusal is one of work without a person who answers for it. */
export const WITHOUT_HUMAN =
  /\bwithout(?: [\w'’-]+){0,6} (?:humans?|review\w*|understand\w*|supervision|oversight|person|test(?:ed|ing)|verif\w*|check\w*|edit\w*|owner)\b|\b(?:un(?:reviewed|verified|supervised|edited|checked|tested)|low[- ](?:quality|effort)|spam|slop|careless\w*|blind(?:ly)?|mindless\w*|raw)\b|\b(?:fully|purely|entirely|solely|wholly|completely|exclusively|100 ?%|primarily|predominantly)\b|\bunless(?: [\w'’-]+){0,8} (?:humans?|review\w*|understand\w*|person|tested|verif\w*|supervis\w*|explain\w*)\b|\b(?:do|does|have|has|did|can|could)(?: not|n['’]t|not)(?: \w+){0,3} (?:understand|understood|review(?:ed)?|read|explain|test(?:ed)?|verif\w*|supervised?|written yourself)\b|\bhuman[- ]in[- ]the[- ]loop\b|\bno human\b/i
/** The refusal is one of work whose origin is not disclosed. */
export const WITHOUT_DISCLOSURE =
  /\bundisclosed\b|\bwithout(?: \w+){0,4} (?:disclos\w*|declar\w*|mention\w*|attribut\w*|label\w*|saying|stating|acknowledg\w*|noting)\b|\bunless(?: \w+){0,8} (?:disclos\w*|declar\w*|mention\w*|label\w*|marked|stated?|say|noted?)\b|\bfail(?:s|ed|ing|ure)? to (?:disclose|declare|mention)\b|\b(?:not|n['’]t)(?: been)? (?:disclosed|declared|labell?ed|disclose|declare)\b/i

/** A person answers for the work. */
export const HUMAN_ANSWERS =
  /\bhumans?(?: [\w-]+){0,4} (?:must|is|are|remains?|has to|have to|should|needs? to|will)(?: \w+){0,4} (?:review\w*|understand\w*|responsib\w*|accountab\w*|approve\w*|submit\w*|own\w*|verif\w*|check\w*)|\bhuman[- ](?:in[- ]the[- ]loop|review|oversight|accountability|supervision)\b|\b(?:review|check|verif|test|vett|understo|approv|supervis)\w*(?: \w+){0,3} by (?:a |an |the |you|some)?(?:\w+ )?(?:humans?|person|people|author|contributor|yourself)\b|\b(?:you|contributors?|authors?|submitters?|people|person)\b(?: [\w'’-]+){0,6} (?:responsib\w*|accountab\w*|understand|understood|explain|vouch|own(?:s|ership)?|liable|review(?:ed)?|verif\w*)\b|\b(?:responsibility|accountability)\b(?: \w+){0,6} (?:you|contributors?|authors?|humans?|submitters?)\b/i
/** Contributions need a person who stands behind them, whether the sentence names agents or not. */
export const HUMAN_SUBMITS = new RegExp(
  [
    `\\b${PROPOSAL}\\b${words(5)} (?:submitted|opened|sent|proposed|filed|owned|sponsored|backed|signed) by (?:an? )?(?:\\w+ ){0,2}(?:humans?|persons?|people)\\b`,
    `\\b${PROPOSAL}\\b (?:need|needs|require|requires|must have|has to have|have to have) (?:an? )?(?:\\w+ ){0,2}(?:human|person)\\b`,
    `\\b(?:an? |every |some |real |one )(?:human|person)(?: being)?\\b${words(1)} (?:must|has to|needs to|shall)${words(3)} (?:submit|open|sign|send|own|stand behind|read|review|understand)${words(6)} ${PROPOSAL}\\b`,
  ].join('|'),
  'i',
)
/** The author has to say how the work was made. */
export const DISCLOSE =
  /\bdisclos\w*|\bdeclar(?:e|ed|ing|ation)\b|\b(?:must|please|should|need to|needs to|required to|have to|has to|ask(?:ed)?(?: that)? you(?: to)?)(?: [\w'’-]+){0,5} (?:mention|state[ds]?|indicate[ds]?|say|label\w*|tag(?:ged)?|mark(?:ed)?|note[ds]?|specif\w*|acknowledg\w*|flag(?:ged)?|tell us|let us know|identif\w*|document(?:ed)?|report(?:ed)?|be transparent|credit(?:ed)?)\b|\btransparen(?:t|cy)\b|^(?:mention|state|indicate|label|tag|mark|note|specify|acknowledge|flag|tell us|let us know)\b|\[[ x]?\]/i
export const NEEDS_NO_DISCLOSURE =
  /\b(?:(?:do|does|is|are)(?: not|n['’]t)|need not|not|no)(?: \w+){0,2} (?:need|have|required?|necessary|requirement|obliged)\b|\boptional\b/i

/** A line of a commit that names an agent. */
export const TRAILER = /\b(?:co-?authored-?by|assisted-?by|generated-?by|co-?authors?(?:hip)?|trailers?)\b/i
export const SIGN_OFF = /\b(?:sign(?:ed)?[- ]?off(?:[- ]by)?|DCO|CLA|certificate of origin)\b/i
export const NEGATED = new RegExp(`${NOT}|\\bno\\b|\\bwithout\\b|\\b(?:remove|strip|omit|avoid|forbid\\w*|prohibit\\w*)\\b`, 'i')

/** A refusal that is itself denied: nothing is forbidden. */
export const ALLOWED =
  /\b(?:not|n['’]t|never|no longer|nor)(?: \w+){0,3} (?:prohibit\w*|forbid\w*|ban(?:s|ned|ning)?|disallow\w*|reject\w*|refus\w*|discourag\w*|oppos\w*|object\w*|against|declin\w*|block\w*|unwelcome|close)\b|\bno (?:\w+ ){0,2}(?:ban|rule|policy|objections?|problem|issue)s?(?: \w+){0,2} (?:on|against|to|with)\b|\bnothing against\b/gi
/** The refusal is that of other people. */
export const OF_OTHERS =
  /\b(?:some|other|many|several|most|certain|unlike) (?:\w+ )?(?:projects?|repositories|repos|maintainers|communities|organi[sz]ations|foundations)\b/i

/** The maintainers take no contributions of strangers, or ask to stop. */
export const STOP = [
  /\b(?:please )?stop (?:\w+ ){0,2}(?:sending|opening|submitting|creating|posting|making|filing|spamming|flooding|using)\b(?: \w+){0,6} (?:pull[ -]?requests?|PRs?|patches|contributions?|issues|bots?|us|repository|repo|project|agents?)\b/i,
  /\b(?:do(?: not|n['’]t)|no longer|no(?: more)?)(?: \w+){0,2} (?:send|open|submit|create|work on|accept(?:ing)?|take|taking|pick up|pull[ -]?requests?|PRs?|contributions?|patches)\b(?: (?:any|more|further|a|an|your|new|external|outside|unsolicited|community|third[- ]party|pull[ -]?requests?|PRs?|patches|contributions?|changes|or|and|it|this|issue|please)){0,7}(?: (?:at this time|at the moment|for now|right now|anymore|any more|currently|here|on GitHub|for this (?:issue|repository|project|one)|to this (?:issue|repository|project|repo)|from (?:the )?(?:public|outside|community|external \w+)|in this (?:repository|project|repo)))?(?:[.;,!]|$)/i,
  /\b(?:not|n['’]t|no longer)(?: \w+){0,2} (?:accept\w*|tak(?:e|ing)|open to|looking for|review\w*|merg\w*)(?: (?:any|external|outside|unsolicited|community|third[- ]party|code|new|public)){0,3} (?:pull[ -]?requests?|PRs?|patches|contributions?)(?: (?:at this time|at the moment|for now|right now|anymore|any more|currently|here|on GitHub|from (?:the )?(?:public|outside|community|outside \w+)|for this (?:issue|repository|project|one)|to this (?:repository|project|repo)|in this (?:repository|project|repo)))*(?:[.;,!]|$)/i,
  /\b(?:pull[ -]?requests?|PRs?|contributions?|patches)(?: \w+){0,3} (?:are|is)(?: \w+){0,2} (?:not (?:accepted|wanted|welcome|needed|being accepted|reviewed)|closed|disabled)(?: (?:at this time|at the moment|for now|right now|here|on GitHub|currently|for this (?:issue|repository|project)|in this (?:repository|project|repo)|from (?:the )?(?:public|outside)))*(?:[.;,!]|$)/i,
  /\b(?:closed|not open) (?:to|for) (?:\w+ )?contributions?\b/i,
  /\bread[- ]only mirror\b/i,
  /\b(?:this (?:issue|task|ticket)|it) (?:is|has been|was) (?:reserved|only|not|intended only|meant only)(?: \w+){0,2} for (?:\w+ ){0,3}(?:bots?|agents?|AI|humans?|people|first[- ]time(?: \w+)?|maintainers?|members?|staff|team|new(?: \w+)?|students?|the \w+ team)\b/i,
  /\b(?:no|not?) (?:more )?(?:bounty|bounties|paid|bounty[- ]hunters?|bounty hunting)(?: \w+){0,2} (?:hunters?|work|pull[ -]?requests?|PRs?|submissions?|here|please|allowed|wanted)\b/i,
]
