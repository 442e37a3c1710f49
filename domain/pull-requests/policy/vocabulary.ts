// Words by which maintainers name artificial authors, contributions and refusals. Sentences are matched by the words in them, not by their order.

const either = (...patterns: string[]): RegExp => new RegExp(patterns.join('|'), 'iu')
/** At most `most` more words of the same clause. */
export const words = (most: number): string => `(?:[ ,/()&+-]{1,3}[\\p{L}\\p{N}_'.]+){0,${most}}`

// Names that are common words too count with a capital only.
const MODEL =
  '\\bAI\\b|\\bA\\.I\\b|\\bartificial(?:ly)?[ -]intelligen(?:ce|t)\\b|\\bLLMs?\\b|\\blanguage[ -]models?\\b|\\bgen(?:erative)?[ -]?AI\\b|\\bgenerative (?:models?|tools?)\\b|\\bChat-?GPT\\b|\\bGPT(?:s\\b|-?[0-9]|\\b)|\\bCopilots?\\b|\\b(?-i:Claude|Gemini|Codex|Devin|Cursor|Windsurf|Grok)\\b|@claude\\b|\\bchat-?bots?\\b|\\bKI\\b|\\bkünstliche[rn]? Intelligenz\\b|\\bSprachmodelle?n?\\b|\\bIA\\b|\\bint[ee]lligence artificielle\\b|\\bintelig[eê]ncia artificial\\b|\\bmod(?:èles?|elos?) de (?:langage|lenguaje|linguagem)\\b|(?<!\\p{L})ИИ(?!\\p{L})|искусственн\\p{L}+ интеллект|нейросет|языков\\p{L}+ модел|人工[智知]能|大(?:语言)?模型|大規模言語モデル|语言模型|生成AI'
const AGENT =
  '\\b(?:coding|code|programming|virtual|software) (?:assistants?|agents?|copilots?|companions?|bots?)\\b|\\b(?:autonomous|automated|unattended|robotic) (?:agents?|bots?|accounts?|tools?|systems?|scripts?|contributors?)\\b|(?<!user[ -])\\bagents\\b|\\bbots\\b|\\ban (?:autonomous )?agent\\b|\\b(?:by|from|of) (?:an? )?(?:machines?|robots?|bot)\\b|\\brobots\\b|\\bagentes\\b|\\bAgenten\\b|\\bagents (?:autonomes|conversationnels)\\b|\\bБот(?:ы|ов|ам)\\b|机器人|智能体|エージェント|ボット'
const MACHINE_MADE =
  '\\b(?:machine|computer|robot|bot|auto|agent)[ -](?:generated|written|authored|made|created|produced|assisted|submitted|opened)\\b|\\bauto(?:matically|nomously)?[ -]?generated (?=contrib|pull|PR|patch|code|submi|issue|commit|change)|\\b(?:automated|autonomous|unattended|agentic|robotic|bot|automatic) (?:or \\p{L}+ )?(?:\\p{L}+ )?(?=contrib|pull|PRs?\\b|MRs?\\b|merge|patch|submission|issues\\b)|\\bvibe[ -]?cod(?:e|ed|ing|ers?)\\b|\\bslop\\b|\\bmaschinell (?:erzeugt|erstellt|generiert|geschrieben)\\p{L}*'

/** Names an artificial author or what one makes. */
export const AUTHOR = either(MODEL, AGENT, MACHINE_MADE)
/** Names one by words that have no other sense: not plain "agents" or "bots", which may be part of the product. */
export const CLEAR_AUTHOR = either(MODEL, MACHINE_MADE, '\\bcoding (?:assistants?|agents?)\\b')
/** Source of a pattern for any name of an artificial author. */
export const ANY_AUTHOR = `(?:${MODEL}|${AGENT}|${MACHINE_MADE})`

/** Things of a product, of its development and of a project's own helpers that have such a word in their name. */
export const NO_AUTHOR = new RegExp(
  [
    '\\buser[ -]agents?\\b',
    `\\b(?:AI|LLM|GPT|OpenAI|ChatGPT|Claude|Gemini|Copilot|language[ -]model|agents?|bots?)(?:['’]s)?[ -](?:API|SDK|keys?|clients?|providers?|backends?|modules?|features?|engines?|endpoints?|plug-?ins?|packages?|library|libraries|adapters?|gateway|config\\w*|settings?|extensions?|frameworks?|runtimes?|servers?|prompts?|instructions?|tokens?|classes|class|interfaces?|workflows?|nodes?|chips?|search|players?|opponents?|characters?|enem(?:y|ies)|pools?|tests?|reviewers?|judges?|tokeni[sz]ers?|summar(?:y|ies)|generators?|teams?|commands?|processes|process)\\b(?! (?:that|to|for) (?:generat|writ|creat))`,
    '\\b(?:monitoring|build|backup|remote|ssh|real[ -]estate|travel|support|voice|chat|trading|telegram|discord|slack|game|install\\w*|connected|multiple|our|registered|node|log|metrics|CLA|stale|release|merge|welcome|dependabot|renovate) (?:agents|bots?)\\b',
    `\\b(?:call|calls|calling|mock|mocks|mocking|against|behind|inside|train\\w*|fine-tun\\w*|host\\w*|serv(?:e|es|ing)|spawn\\w*|deploy\\w*|restart\\w*|upgrad\\w*) (?:the |an? |our |real |any |your |live |multiple |more |of )*${ANY_AUTHOR}`,
    `\\b(?:paste|upload|send|share|feed|enter|put|expose|leak|provid\\w*|pass|give)\\b${words(7)} (?:in)?to (?:\\p{L}+ ){0,2}${ANY_AUTHOR}`,
  ].join('|'),
  'giu',
)

const MADE =
  '(?:generated|written|assisted|authored|produced|created|coded|made|driven|aided|drafted|crafted|composed|derived|opened|submitted|contributed|prepared|supported|enhanced|powered|originated|sourced)'
/** Contributions themselves, in contrast to their parts. */
export const PROPOSAL =
  '(?:\\bcontribut(?:ions?|ors?|e|es|ing)\\b|\\bpull[ -]?requests?\\b|\\bPRs?\\b|\\bMRs?\\b|\\bmerge[ -]requests?\\b|\\bpatch(?:es)?\\b|\\bsubmissions?\\b|\\bissues?\\b|\\breports?\\b|\\bBeitr[äa]ge?n?\\b|\\bcontribui\\p{L}+|\\bcontribuc\\p{L}+|вклад|пул-?реквест|патч|贡献|拉取请求|合并请求|プルリクエスト|コントリビューション|貢献)'
const CONTENT =
  '(?:\\bcode\\b|\\bcommit(?:s|ted)?\\b|\\bchanges?\\b|\\bcontent\\b|\\bsubmit\\p{L}*|\\bdocumentation\\b|\\bwork\\b|\\bfixes\\b|\\btexts?\\b|\\bcomments?\\b|\\bdescriptions?\\b|\\bCode\\b|\\bc[oó]digo\\b|\\bкод\\p{L}*|代码|提交|コード)'
/** Names contributions, their parts or the act. */
export const CONTRIBUTION = either(PROPOSAL, CONTENT)
export const NAMES_PROPOSAL = either(PROPOSAL)
/** Work that an artificial author has made, or its use. */
export const AUTHORED = either(
  `(?:${MODEL})${words(2)}[ -]${MADE}\\b`,
  `\\b${MADE}${words(4)}[ ,]+(?:\\p{L}+ )?${ANY_AUTHOR}`,
  `\\b(?:use|uses|used|using|usage|help|rely|relying|via|through|from|with|by|of)${words(3)} ${ANY_AUTHOR}`,
  `(?:${MODEL})[ -](?:use|usage|assistance|involvement|help|output|slop|policy|disclosure|tools?)\\b`,
  `${ANY_AUTHOR}[ -](?:${PROPOSAL}|${CONTENT})`,
  MACHINE_MADE,
)

/** Says that an artificial author has made something. */
export const MADE_BY = either(`(?:${MODEL})${words(2)}[ -]${MADE}\\b`, `\\b${MADE}${words(4)}[ ,]+(?:\\p{L}+ )?${ANY_AUTHOR}`, MACHINE_MADE)

export const NOT =
  "(?:\\b(?:do|does|did|wo|ca|must|may|should|shall|would|are|is|need|have|has)n't\\b|\\bcan(?:not|'t)\\b|\\b(?:never|not|neither|nor|dont)\\b)"
const TAKE =
  '(?:accept\\p{L}*|allow\\p{L}*|permit\\p{L}*|want(?:s|ed)?|wish|welcomed?|merg(?:e|es|ed|ing)|tak(?:e|es|en|ing)|consider\\p{L}*|review(?:s|ed|ing)?|read|look at|submit\\p{L}*|open(?:s|ed|ing)?|send(?:s|ing)?|sent|us(?:e|es|ed|ing)|contribut(?:e|es|ed|ing|ions?)|post(?:s|ed|ing)?|fil(?:e|es|ed|ing)|tolerat\\p{L}*|appreciate[ds]?|creat(?:e|es|ed|ing)|make|includ(?:e|es|ed|ing)|desired|eligible|rais(?:e|es|ed|ing)|engag\\p{L}*|writ(?:e|es|ing|ten)|generat(?:e|es|ed|ing)|commit(?:s|ted|ting)?|push(?:es|ed|ing)?|past(?:e|es|ed|ing)|add(?:s|ed|ing)?|land(?:s|ed|ing)?|interested|participat\\p{L}*|respond|trust|rely|employ\\p{L}*|propos\\p{L}*|bring|bother|apply|belong|okay|ok|fine|good|suitable|appropriate|work on|pick up|claim|entertain\\p{L}*|condone\\p{L}*|admit\\p{L}*|approv\\p{L}*|integrat\\p{L}*|be part|do (?:that|this|it|so)|for you)'
const FOREIGN_REFUSAL =
  '\\bnicht\\b|\\bkeine?[nrsm]?\\b|\\bverboten|\\buntersagt|\\babgelehnt|\\bunerwünscht|\\bunzulässig|\\blehnen\\b.{0,80}\\bab\\b|\\bgeschlossen\\b|\\bohne KI\\b|\\bn(?:e |\\x27).{1,40}\\bpas\\b|\\brefus\\p{L}+|\\binterdit\\p{L}*|\\baucun\\p{L}*|\\bpas d(?:e |\\x27)|\\brejet\\p{L}+|\\bproh[ií]b\\p{L}+|\\bproib\\p{L}+|\\brecha[zc]\\p{L}+|\\bning[uú]n\\p{L}*|\\bno (?:se|est[áa]n?|son|ser[áa]n?|acept\\p{L}+|admit\\p{L}+|permit\\p{L}+|us[ea]\\p{L}*|env[ií]\\p{L}+|queremos)(?!\\p{L})|\\bnessun\\p{L}*|\\bvietat\\p{L}+|\\bnon (?:sono|si|sar|accett|è)\\p{L}*|\\bnão\\b|\\bnem\\b|\\brejeit\\p{L}+|\\brecusad\\p{L}+|\\bvedad\\p{L}+|не (?:прин|допус|разреш|прием|рассм|использ|отправ|присыл|нужн)\\p{L}*|запрещ\\p{L}*|отклон\\p{L}*|нельзя|недопустим\\p{L}*|не\\p{L}*приемлем\\p{L}*|不接受|不得|不允许|不欢迎|不要|不会(?:合并|接受)|不予|不可|禁止|严禁|拒绝|谢绝|请勿|勿(?:使用|提交)|関閉|关闭|お断り|拒否|ご遠慮|しないで|受け(?:付け|入れ)(?:ません|ない|られません|ておりません|ていません)|認め(?:ません|ない|られません|ていません)|不可です'

/** Outright words of refusal, which need no negation. */
const STRONG =
  '\\b(?:prohibit(?:s|ed|ing)?|prohibition|forb(?:id|ids|ade|idden|idding)|ban(?:s|ned|ning)?|disallow\\p{L}*|reject(?:s|ed|ing|ion)?|refus(?:e|es|ed|ing|al)|declin(?:e|es|ed|ing)|unwelcome|unacceptable|unwanted|undesir\\p{L}+|off[- ]limits|taboo|outlawed|exclud(?:e|es|ed)|barred|discouraged|violat(?:es?|ion)|zero[- ]tolerance|immediate(?:ly)? clos\\p{L}+|clos(?:e|ed|ing)(?: \\p{L}+){0,2} (?:without|immediately|on sight|unread|unreviewed|automatically)|go away|stay away|keep out|keep(?: \\p{L}+){1,5} (?:out|away|to yourself)|leave(?: \\p{L}+){0,3} (?:out|home)|need not apply|no thank(?:s| you)|refrain|abstain|avoid|stop)\\b|(?:AI|LLM|bot|copilot|GPT)[ -]free\\b|\\bfree (?:of|from) (?:any )?(?:AI|LLM)|\\bwithout (?:the )?(?:\\p{L}+ )?(?:use of |help of |assistance of |assistance from |aid of |involvement of |any )?(?:generative |any )?(?:AI|LLMs?|artificial|language models?|Copilot|ChatGPT)\\b(?! (?:disclos|declar))'
const CLOSED =
  '\\b(?:will|may|shall|are|is|be|get|gets|being|can)(?: be)?(?: \\p{L}+){0,3} (?:closed|deleted|removed|blocked|reverted|ignored|locked|discarded|dropped|binned|kicked|reported|marked as (?:spam|invalid)|turned away|sent back)\\b|\\b(?:we|I|maintainers|admins|moderators)(?: \\p{L}+){0,3} (?:close|delete|block|ignore|revert|lock|remove|drop)\\b|\\bclosed?[.!]?$|: ?(?:closed|instant|immediate)'
const BARE_NO = `\\b(?:no|zero)\\b[ :-]+(?:[\\p{L}]+[ ,/-]+){0,3}?(?=${ANY_AUTHOR})|\\bnon-?(?=AI\\b)|${ANY_AUTHOR}[^.?!]{0,60}[:=|>?-] ?(?:please )?(?:no|nope|never|not|don't|do not|none)\\b|\\b(?:no|nope)[.!]?$|\\bno (?:\\p{L}+ )?(?:place|room|interest|time|patience|tolerance|desire|use|longer)\\b|\\b(?:accept|allow|want|take|with|there (?:is|are|must be)|contain(?:s|ing)?) no (?=${ANY_AUTHOR})`

/** The sentence refuses something. */
export const REFUSED = either(
  `${NOT}${words(5)}[ ,:/]+${TAKE}\\b`,
  STRONG,
  CLOSED,
  BARE_NO,
  `${NOT}${words(6)} (?:by|with|from|using|via) (?:an? |any )?${ANY_AUTHOR}`,
  `${NOT} (?:for|in|by|from|with|through|via) `,
  '\\bnot for (?:you|agents|bots|AI)',
  FOREIGN_REFUSAL,
)
/** A sentence that has nothing but a refusal. */
export const BARE_REFUSAL =
  /^(?:(?:please|sorry|so|then|simply|just|strictly|absolutely|currently|we)[ ,]+){0,2}(?:no|nope|never|not|don't|do not|prohibited|forbidden|banned|refused|rejected|closed|unwelcome|disallowed)(?:[ ,]+(?:accepted|allowed|permitted|welcome|wanted|here|please|at all|ever|thanks?|thank you|use|do|accept|want|allow|it|them|these|this|that|those|any|try|bother|in|for|our|the|project|code|repository|so))*[.!]*$/i
