// Forms that soften a refusal, ask for a person or for disclosure, or stop every contribution. Every repetition is bounded.
import { ANY_AUTHOR, NOT, words } from './vocabulary.ts'

const PROPOSAL = '(?:contributions?|pull[ -]?requests?|PRs?|MRs?|merge[ -]requests?|patch(?:es)?|submissions?|issues?)'
const ANY_PROPOSALS = `(?:(?:any|more|further|a|an|your|new|external|outside|unsolicited|community|third[- ]party|or|and|any more|code) ){0,4}${PROPOSAL}`
const HERE =
  '(?: (?:at this time|at the moment|for now|right now|any ?more|currently|here|please|at all|yourself|yourselves|on GitHub|from you|by you|(?:for|to|in|against|on|with|of) (?:this|it|our)(?: (?:issue|repository|project|repo|one|file|codebase))?|from (?:the )?(?:public|outside\\w*|community|outside \\w+|external \\w+|strangers|anyone)))*(?:[.;,!]|$| and | or )'

/** Only people may contribute. */
export const HUMANS_ONLY =
  /\b(?:humans? only|human[- ]only|people only|(?:only|exclusively)(?: \w+){0,4} (?:by|from|to|for) (?:a |real |actual )?(?:humans?|people)\b|only (?:accept |take |merge |allow |review )?(?:\w+ ){0,3}(?:that )?(?:human|people|person|humans)\b(?: \w+){0,3} (?:written|made|authored|write|wrote|typed?|created?)|only (?:accept |take |merge |allow )?human[- ](?:written|made|authored)|(?:must|has to|have to|should|needs to|shall) be (?:[\w-]+ ){0,4}(?:written|made|authored|created|typed|work|coded)(?: \w+){0,2} (?:by|of) (?:a |real |actual )?(?:\w+ )?(?:humans?|people|person)|(?:must|has to|have to|should|shall) be (?:100 ?%|fully|entirely|completely)?[ ]?human[- ](?:written|made|authored|created)|100 ?% human)/i
/** Where a whole file addresses agents, this refuses without naming them. */
export const NO_PROPOSALS = new RegExp(
  `${NOT}${words(2)} (?:(?:open|submit|create|send|file|make|raise|propose)(?: (?:or|and) \\w+)?${words(3)} ${PROPOSAL}|contribut(?:e|ing)(?: (?:anything|code|changes))?)${HERE}`,
  'iu',
)

/** The refusal holds with a person or disclosure too: nothing softens it. */
export const IN_ANY_CASE =
  /\b(?:even (?:if|when|with|after|where)|regardless|irrespective|whether|no matter|with or without|either way|or not|however much|no exceptions?|under any circumstances|in any form|of any kind)\b/i
/** The refusal is one of work without a person who answers for it. */
export const WITHOUT_HUMAN = new RegExp(
  [
    "\\bwithout(?: [\\w'-]+){0,6} (?:humans?|review\\w*|understand\\w*|supervision|oversight|person|test(?:ed|ing)|verif\\w*|check\\w*|edit\\w*|owner|reading|read)\\b",
    `\\b(?:un(?:reviewed|verified|supervised|edited|checked|tested|attended)|low[- ](?:quality|effort)|careless\\w*|blind(?:ly)?|mindless\\w*|raw|(?:fully|purely|entirely|solely|wholly|completely|exclusively|100 ?%|primarily|predominantly|mostly)(?: by)?)[ -](?:(?!and\\b|or\\b)\\w+[ -])?(?:${ANY_AUTHOR}|generated|written|made|autom\\w+|autonom\\w+|past|copy|submit)`,
    `(?:${ANY_AUTHOR})(?: \\w+){0,4} (?:un(?:reviewed|verified|supervised|edited|checked|tested)|blindly)\\b`,
    '\\bslop\\b',
    "\\bunless(?: [\\w'-]+){0,8} (?:humans?|review\\w*|understand\\w*|person|tested|verif\\w*|supervis\\w*|explain\\w*)\\b",
    "\\b(?:you|I|they|authors?|contributors?|submitters?|who|whose|that|which|humans?|person|no(?:body| one))\\b(?: [\\w-]+){0,4} (?:do|does|have|has|did|can|could)(?:n't| not|not|n't)(?: \\w+){0,3} (?:understand|understood|review(?:ed)?|read|look(?:ed)? at|seen|explain|test(?:ed)?|verif\\w*|supervised?|checked|written yourself)\\b",
    '\\b(?:not|never)(?: been)? (?:\\w+ )?(?:reviewed|understood|checked|verified|read) by (?:a |an |any |the )?(?:\\w+ )?(?:human|person|author|people|contributor)',
    "\\bcan(?:not|'t) (?:explain|defend|justify|answer)\\b",
    '\\bhuman[- ]in[- ]the[- ]loop\\b',
    '\\b(?:no human|no(?:body| one| person)(?: has| had)? (?:check|review|read|underst|test|verif)\\w*)\\b',
    '\\b(?:ohne|sans|sin|sem|без)\\b.{0,40}(?:mensch|human|humain|люд|человек|review|prüf|relecture|revis|verst|compr|провер)',
    'без.{0,30}(?:провер|человек)',
    '未经.{0,12}(?:人|审)|人.{0,8}(?:确认|レビュー|確認).{0,6}(?:ない|なし|せず)',
  ].join('|'),
  'iu',
)
/** The refusal is one of work whose origin is not disclosed. */
export const WITHOUT_DISCLOSURE =
  /\bundisclosed\b|\bwithout(?: \w+){0,4} (?:disclos\w*|declar\w*|mention\w*|attribut\w*|label\w*|saying|stating|acknowledg\w*|noting)\b|\bunless(?: \w+){0,8} (?:disclos\w*|declar\w*|mention\w*|label\w*|marked|stated?|say|noted?)\b|\bfail(?:s|ed|ing|ure)? to (?:disclose|declare|mention)\b|\b(?:not|n't)(?: been)? (?:disclosed|declared|labell?ed|disclose|declare)\b|\bohne (?:Kennzeichnung|Angabe|Hinweis)/i
/** The refusal is one of work with a fault that its author can mend. */
export const WITH_FAULT =
  /\b(?:without|lack(?:s|ing)?|missing)(?: (?:a|an|any|the|passing|corresponding|linked|proper|prior|adding|running|updating|meaningful|sufficient|clear|their|its|unit)){0,3} (?:tests?|issues?|tickets?|descriptions?|changelog|lint\w*|format\w*|documentation|docs|benchmarks?|type checks?|test suite|reproduc\w*)\b|\b(?:that|which)(?: (?!and\b|or\b)\w+){0,2} (?:break|fail|do not|does not|don't|doesn't|mix|lower|slow|ignore|touch|duplicate)s?\b(?!(?: \w+){0,3} (?:understand|review|read|disclose|explain|declare|human))|\b(?:until|before|unless|while)(?: [\w'-]+){0,4} (?:tests?|CI|lint\w*|build|checks?|suite|issue|npm|make|cargo|pass(?:es|ed)?|green)\b|\b(?:directly|against|to|into|onto|on) (?:the )?(?:`?(?:main|master|release|stable|production|default|develop|protected)`?)\b|\b(?:force[- ]push|draft|multiple|several|more than one|unrelated|huge|large(?! language)|giant)\b/i

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
  'iu',
)
/** The author has to say how the work was made. */
export const DISCLOSE =
  /\bdisclos\w*|\b(?:not|never|n't) (?:hide|conceal)\b|\b(?:write|add|include) (?:a |one )?(?:\w+ )?(?:line|note|sentence|word) (?:about|on|of|saying)\b|\bdeclar(?:e|ed|ing|ation)\b|\b(?:must|please|should|need to|needs to|required to|have to|has to|ask(?:ed)?(?: that)? you(?: to)?)(?: [\w'’-]+){0,5} (?:mention|state[ds]?|indicate[ds]?|say|label\w*|tag(?:ged)?|mark(?:ed)?|note[ds]?|specif\w*|acknowledg\w*|flag(?:ged)?|tell us|let us know|identif\w*|document(?:ed)?|report(?:ed)?|be transparent|credit(?:ed)?)\b|\btransparen(?:t|cy)\b|^(?:mention|state|indicate|label|tag|mark|note|specify|acknowledge|flag|tell us|let us know)\b|\[[ x]?\]/i
export const NEEDS_NO_DISCLOSURE =
  /\b(?:(?:do|does|is|are)(?: not|n['’]t)|need not|not|no)(?: \w+){0,2} (?:need|have|required?|necessary|requirement|obliged)\b|\boptional\b/i

/** A line of a commit that names an agent. */
export const TRAILER = /\b(?:co-?authored-?by|assisted-?by|generated-?by|co-?authors?(?:hip)?|trailers?)\b/i
export const SIGN_OFF = /\b(?:sign(?:ed)?[- ]?off(?:[- ]by)?|DCO|CLA|certificate of origin)\b/i
export const NEGATED = new RegExp(`${NOT}|\\bno\\b|\\bwithout\\b|\\b(?:remove|strip|omit|avoid|forbid\\w*|prohibit\\w*)\\b`, 'i')

/** A refusal that is itself denied: nothing is forbidden. */
export const ALLOWED = new RegExp(
  [
    "\\b(?:not|never|no longer|nor|neither|\\w+n't)(?: \\w+){0,3} (?:prohibit\\w*|forbid\\w*|ban(?:s|ned|ning)?|disallow\\w*|reject\\w*|refus\\w*|discourag\\w*|oppos\\w*|object\\w*|declin\\w*|block\\w*|unwelcome|close|stop|afraid|shy to|hesitate|avoid|shy away)\\b",
    "\\b(?:not|\\w+n't|never) (?:care|mind|matter|judge|discriminate|distinguish|need to|have to|required|necessarily|only|just|merely|follow)\\b(?: \\w+){0,2} (?:whether|if|how|who|what|which|about|that)?",
    '\\bno (?:\\w+ ){0,2}(?:ban|rule|policy|objections?|problem|issue|restrictions?)s?(?: \\w+){0,2} (?:on|against|to|with)\\b',
    "\\b(?:not|\\w+n't) (?:treat|judge)\\b(?: [\\w-]+){0,6} (?:differently|worse|by who)",
    '\\bno need\\b',
    '\\bused to (?:ban|reject|forbid|refuse|prohibit)\\b|\\bwe no longer do\\b',
    '\\b(?:nothing|not(?: at all| in principle)?) (?:against|wrong with)\\b',
    '\\bno (?:longer|more) (?:prohibit|ban|refuse|reject)\\w*',
    "(?:,|;|\\bbut|\\band|\\band) we (?:do not|don't)(?=[.!]?$)",
    '\\bnicht (?:mehr )?(?:verboten|untersagt|unerwünscht)',
    '\\b(?:pas|plus|jamais) (?:interdit\\w*|refus\\w*)|\\bno (?:est[áa]n?|son) prohibid\\w*|\\bnão (?:[ée]|são|est[áa]) proibid\\w*',
    'не запрещ[\\p{L}]*|不禁止|不会拒绝|禁止(?:して|されて)(?:い)?(?:ません|ない)',
  ].join('|'),
  'giu',
)
/** The refusal is that of other people. */
export const OF_OTHERS =
  /^(?!.*\b(?:we|our|us|here|this (?:project|repository|repo))\b).*\b(?:some|other|many|several|most|certain|unlike) (?:\w+ )?(?:projects?|repositories|repos|maintainers|communities|organi[sz]ations|foundations)\b/i

/** The maintainers take no contributions of strangers, or ask to stop. */
export const STOP = [
  /\b(?:please )?stop (?:\w+ ){0,2}(?:sending|opening|submitting|creating|posting|making|filing|spamming|flooding|using)\b(?: \w+){0,6} (?:pull[ -]?requests?|PRs?|patches|contributions?|issues|bots?|us|repository|repo|project|agents?)\b/i,
  new RegExp(
    `\\b(?:do(?: not|n't)|no longer|no(?: more)?)(?: \\w+){0,2} (?:send|open|submit|create|work on|accept(?:ing)?|take|taking|pick up)\\b(?: (?:any|more|further|a|an|your|new|external|outside|unsolicited|community|third[- ]party|pull[ -]?requests?|PRs?|patches|contributions?|changes|or|and|it|this|issue|please)){0,7}${HERE}`,
    'i',
  ),
  new RegExp(
    `^(?:please,? |sorry,? )?no (?:more )?(?:(?:external|outside|unsolicited|community|third[- ]party) )?(?:pull[ -]?requests?|PRs?|contributions?|patches)${HERE}`,
    'i',
  ),
  new RegExp(
    `\\b(?:not|n't|no longer)(?: \\w+){0,2} (?:accept\\w*|tak(?:e|ing)|open to|looking for|review\\w*|merg\\w*) ${ANY_PROPOSALS}${HERE}`,
    'i',
  ),
  new RegExp(
    `\\b(?:pull[ -]?requests?|PRs?|contributions?|patches)(?: \\w+){0,3} (?:are|is)(?: \\w+){0,2} (?:not (?:accepted|wanted|welcome|needed|being accepted|reviewed)|closed|disabled)${HERE}`,
    'i',
  ),
  /\b(?:closed|not open) (?:to|for) (?:\w+ )?contributions?\b/i,
  /\bread[- ]only mirror\b/i,
  /\b(?:this (?:issue|task|ticket)|it) (?:is|has been|was) (?:reserved|only|not|intended only|meant only)(?: \w+){0,2} for (?:\w+ ){0,3}(?:bots?|agents?|AI|humans?|people|first[- ]time(?: \w+)?|maintainers?|members?|staff|team|new(?: \w+)?|students?|the \w+ team)\b/i,
  /\b(?:no|not?) (?:more )?(?:bounty|bounties|paid|bounty[- ]hunters?|bounty hunting)(?: \w+){0,2} (?:hunters?|work|pull[ -]?requests?|PRs?|submissions?|here|please|allowed|wanted)\b/i,
]
/** An issue is reserved, or its work has begun. */
export const TAKEN =
  /^(?:please )?reserved for\b|\b(?:some(?:one|body)|I am|I'm|we are|we're|\w+ is) (?:is )?(?:already|currently) (?:working on|doing) (?:this|it)\b|\bplease (?:just )?leave (?:it|this)(?: alone| one| to (?:me|us|them))*(?:[.!]|$)|\bhands off\b|\b(?:will|'ll) (?:do|fix|take|handle) (?:this|it|that) (?:myself|ourselves)\b/i

/** The maintainers permit what the sentence speaks of, maybe under a condition. */
export const PERMITTED =
  /\b(?:welcome|fine|okay|ok|allow(?:s|ed)?|permitted|permit|accept(?:s|ed|able)?|may|can|could|encourage[ds]?|happy|glad|love|like|free to|whatever|supported|first-class|acceptable|please (?:use|try)|needs? (?:an?|at least|to)|must (?:have|include|pass|follow|meet|come with)|disclos\w+|responsib\w+|same (?:standards?|rules?|way|bar)|willkommen|erlaubt|bienvenues?|autoris\w+|bienvenid\w+|permitid\w+|bem-vind\w+)\b|разреш|приветств|欢迎|允许|可以|歓迎|許可/i
