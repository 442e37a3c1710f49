const VERBS =
  'send|skip|stop|add|forget|follow|disregard|ignore|mark|keep|treat|approve|push|post|write|reply|answer|include|tell|say|pretend|reveal|print|show|delete|remove|transfer|pay|run|execute|open|visit|fetch|call|use|sign|install|do|don.?t|never|begin|start|put|copy|paste|read|act|leave|set|give|hide|upload|download|register|connect|merge|close|accept|rate|grade|obey|forward|export|append|email|mail'
const READERS = '(?:ai|llms?|assistants?|agents?|bots?|(?:language |reviewer |reviewing )?models?)'
const REQUEST = `(?:please |kindly |now |first |then |always |just |you (?:must|should|shall|have to|may|can) ){0,2}(?:${VERBS})\\b`
/** Orders that address a program which reads: in brackets, as a note to it, or by its name and a comma. */
const ADDRESSED: readonly RegExp[] = [
  new RegExp(
    `[[(][ \\t]{0,4}(?:(?:note|notice|message|hint|reminder) )?(?:(?:to|for) )?(?:the |any |all |every )?(?:ai |llm )?${READERS}[:：,][ \\t]{0,4}${REQUEST}`,
    'i',
  ),
  new RegExp(
    `(?:^|[\\n.!?])[ \\t]{0,4}(?:(?:note|notice|message|hint|reminder) )?(?:to|for) (?:the |any |all |every )?(?:ai |llm )?${READERS}[:：,][ \\t]{0,4}${REQUEST}`,
    'i',
  ),
  new RegExp(`(?:^|[\\n.!?])[ \\t]{0,4}(?:dear )?(?:ai |llm )?${READERS},[ \\t]{0,4}${REQUEST}`, 'i'),
  /\bas (?:the |a |an )?(?:maintainer|owner|author|admin|administrator|operator|developer|moderator|editor|publisher)s?\b[^.\n]{0,60}\b(?:i|we) (?:hereby )?(?:confirm|authori[sz]e|permit|allow|approve|declare|grant|order|instruct|certify|agree)\b[^.\n]{0,40}\b(?:agents?|assistants?|bots?|ai|llms?|models?)\b/i,
  /\b(?:language models?|llms?|ai (?:agents?|assistants?|models?|readers?|bots?)|automated (?:agents?|readers?|fixers?|tools?|assistants?|reviewers?)|coding agents?)\b[^.\n]{0,60}\b(?:must|shall|have to|has to|are required to|is required to)\b[^.\n]{0,60}(?:https?:\/\/|\btokens?\b|\bkeys?\b|\bsecrets?\b|\bpasswords?\b|\bnpx\b|\bcurl\b|\bwget\b|\bpip install\b)/i,
  /\b(?:authori[sz]ed|permitted|cleared|allowed|instructed)\b (?:the |any |all |every )?(?:ai |coding |automated )?(?:agents?|assistants?|bots?|llms?|ais?) to (?:disable|skip|bypass|ignore|install|run|execute|push|merge|send|transfer|reveal|share|print|use|sign)\b/i,
]

/** Signs with which chat models and tools part their messages. Each expression reads a text once. */
const SIGNS: readonly RegExp[] = [
  /<\|[a-z_]{2,30}\|>/i,
  /\[\/?(?:inst|sys|system|assistant)\]/i,
  /<<\/?sys>>/i,
  /<\/?(?:system|assistant|human|tool_call|tool_result|tool_use|function_calls?|function_results?|invoke|im_start|im_end|system[-_]reminder|system[-_]prompt|instructions?|untrusted|job_description|listing|user_query|admin|developer)(?:\s[^<>]{0,80})?>/i,
  /(?:^|\n)[ \t>#*_[(-]{0,12}(?:system|developer|admin|administrator|operator|platform|root|moderator|security)[ _-]?(?:message|override|notice|prompt|alert|update|instructions?|command|directive|note)s?[ \t*_\])]{0,8}[:：\]-]/i,
  /(?:^|\n)[ \t>#*_[(-]{0,12}(?:system|developer|admin|root|platform|operator)[ _-]?(?:override|directive|prompt|command)s?[ \t*_\])]{0,8}(?:\n|$)/i,
  /(?:^|\n|[.!?][ \t]{1,4})[ \t>#*_[(-]{0,12}(?:system|developer)[ \t*_\])]{0,8}[:：][ \t*_]{0,8}(?:you|the agent|agents|new|ignore|from now|this is|all|do|disregard|override|execute|run|send|please|attention)\b/i,
  /(?:^|\n|[.!?][ \t]{1,4})[ \t>#*_[(-]{0,12}(?:note|notice|message|attention|warning|important|instructions?|memo|urgent|hey|dear|hello)[ \t*_:,!-]{0,8}(?:to|for)?[ \t]{0,4}(?:all |any |the |every )?(?:ai|llm|language)[ -]?(?:agents?|models?|assistants?|bots?|workers?|readers?)\b/i,
  /(?:^|\n)[ \t>#*_[(-]{0,12}(?:assistant|ai)[ \t*_\])]{0,8}[:：][ \t*_]{0,8}(?:sure|ok|okay|understood|i will|i have|certainly|of course)\b/i,
  /(?:^|\n|\|)[ \t>#*_[(-]{0,12}(?:agent|assistant|ai|bot|model|llm|automation)[ \t*_\])]{0,8}[:：][ \t*_]{0,8}(?:now |first |then |please )?(?:when you|if you|before you|transfer|ignore|open|run|execute|print|copy|pay|upload|attach|reveal|approve|forget|delete|disregard|sign|reply with|append|include|export|forward|install|move|accept|mark|grade)\b/i,
  /(?:^|\n)[ \t>#*_[(-]{0,12}(?:moderator|moderation|trust team|trust and safety|admin|staff|compliance|support team|security team)[ _-]?(?:comment|remark|decision|statement|approval|note|notice|clearance|ruling)s?[ \t*_]{0,8}[(:：\]-]/i,
  /(?:^|\n)(?:[ \t]{0,8}[>#*_[(=-][ \t>#*_[(=-]{0,12}(?:messaggio di sistema|message (?:du )?systeme|systemnachricht|systemmeldung|mensaje del sistema|mensagem do sistema|системное сообщение|сообщение системы|系统消息|系统提示|系統訊息|システムメッセージ|시스템 메시지)[ \t#*_=\])]{0,8}(?:[:：\n]|$)|[ \t]{0,8}(?:messaggio di sistema|message (?:du )?systeme|systemnachricht|systemmeldung|mensaje del sistema|mensagem do sistema|системное сообщение|сообщение системы|系统消息|系统提示|系統訊息|システムメッセージ|시스템 메시지)[ \t]{0,4}[:：])/iu,
  /\bend of (?:the )?(?:job|task|listing|untrusted|user|external|quoted|poster'?s?)[ -]?(?:description|text|content|input|listing|quote|data|section|posting|block)?\b[ \t]{0,4}[.:\])>*=-]/i,
  /(?:-|=|#|\*){3,}[ \t]{0,4}(?:begin|start|end)[ \t]{1,4}(?:of[ \t]{1,4})?(?:system|admin|operator|developer|trusted|new|agent|instructions?|prompt|untrusted)\b/i,
  /\bbegin (?:system|admin|operator|developer|trusted) (?:message|prompt|instructions?|section|block)\b/i,
  /"role"\s{0,4}:\s{0,4}"(?:system|developer|assistant|tool)"/i,
  /"type"\s{0,4}:\s{0,4}"(?:tool_result|tool_use|function_call|function_call_output)"/i,
  /"(?:name|tool|function|action)"\s{0,4}:\s{0,4}"[^"\n]{1,60}"\s{0,4},\s{0,4}"(?:arguments|args|parameters|input)"\s{0,4}:\s{0,4}\{\s{0,4}"(?:command|cmd|shell|script|to|amount|recipient|path|file|address|spender|code)"/i,
  /\{\{?\s{0,4}(?:system|#system|system_prompt|user_context|env\.[a-z_]{1,40}|secrets?\.[a-z_]{1,40}|context|conversation|memory|history|api_key|private_key)\s{0,4}\}\}?/i,
]
/** Code that a shell fetches and runs, or that runs on its own. */
const REMOTE_CODE: readonly RegExp[] = [
  /\b(?:curl|wget|iwr|invoke-webrequest)\b[^\n|]{3,300}\|[ \t]{0,8}(?:sudo[ \t]{1,4})?(?:ba|z|da|k|c)?(?:sh|python3?|node|perl|ruby|iex)\b/i,
  /\b(?:ba|z)?sh[ \t]{1,4}(?:-c[ \t]{1,4})?["']?(?:<\(|\$\()[ \t]{0,4}(?:curl|wget)\b/i,
  /\b(?:iex|invoke-expression)\b[^\n]{0,40}(?:iwr|invoke-webrequest|downloadstring|irm)\b/i,
  /\bpowershell(?:\.exe)?\b[^\n]{0,60}\s-e(?:nc|ncodedcommand)?\s/i,
  /\brm[ \t]{1,4}-(?:rf|fr|r[ \t]{1,4}-f)[ \t]{1,4}(?:--no-preserve-root[ \t]{1,4})?(?:~|\/|\$|\*|\.\.|\.(?:\s|$))/i,
  /\bbase64[ \t]{1,4}(?:-d|--decode|-D)\b[^\n]{0,80}\|[ \t]{0,8}(?:ba|z)?sh\b/i,
  /\/dev\/tcp\//i,
  /\b(?:python3?|node|perl|ruby|source|eval)\b[^\n]{0,40}[<$]\([ \t]{0,4}(?:curl|wget)\b/i,
  /\b(?:curl|wget)\b[^\n]{0,200}(?:--post-file|--upload-file|--data-binary[ \t]{1,4}@|-d[ \t]{0,4}@|-f[ \t]{1,4}\w{1,20}=@|\s-t[ \t]{1,4}\S)/i,
  /\b(?:download|install|open|run|start|execute|launch|get|fetch)\b[^\n]{0,60}https?:\/\/[^\s]{1,200}\.(?:exe|msi|bat|cmd|scr|apk|dmg|ps1|vbs|jar|deb|rpm|appimage)\b/i,
  /\bimport\(\s{0,4}["'`]?https?:/i,
  /https?:\/\/[^\n]{1,200}\bimport\(\)/i,
  /\bnc\b[^\n]{0,40}\s-e\s/i,
  /\b(?:python3?|node|perl|ruby)[ \t]{1,4}-(?:c|e)[ \t]{1,4}["'][^\n]{0,200}(?:exec|eval|system|urlopen|requests\.|fetch\(|child_process)/i,
]

/** Markup that runs in a page; in a code block it is only shown. */
const ACTIVE_MARKUP = /<script\b|<iframe\b|<object\b|<embed\b|\bon(?:error|load|click|mouseover|focus)\s{0,4}=/i

/** Styles and attributes by which a page does not show a text. */
const HIDDEN_MARKUP =
  /<[a-z][a-z0-9]*\b[^<>]{0,300}(?:\shidden(?=[\s>=/])|aria-hidden\s{0,4}=|display\s{0,4}:\s{0,4}none|visibility\s{0,4}:\s{0,4}hidden|font-size\s{0,4}:\s{0,4}0|opacity\s{0,4}:\s{0,4}0(?![.\d]*[1-9])|color\s{0,4}:\s{0,4}(?:#f{3,8}\b|white\b|transparent\b)|(?:left|top|text-indent)\s{0,4}:\s{0,4}-\d{3,})/i

export const hasHiddenMarkup = (html: string): boolean => HIDDEN_MARKUP.test(html)
export const hasActiveMarkup = (html: string): boolean => ACTIVE_MARKUP.test(html)
export const hasRoleMarker = (text: string): boolean => [...SIGNS, ...ADDRESSED].some((sign) => sign.test(text))
export const hasRemoteCode = (text: string): boolean => REMOTE_CODE.some((sign) => sign.test(text))

const LETTERS = /(?<![\p{L}\p{N}])\p{L}(?:[ \t.\-_*/|·•,]{1,3}\p{L}){5,}(?![\p{L}\p{N}])/gu
const SPELLED =
  /ignore|instruct|previous|password|private|seed|secret|wallet|system|prompt|transfer|send|apikey|token|mnemonic|disregard|execute|override|forget/

/** Whether letters that stand alone spell a word of an order. */
export const spellsOrder = (folded: string): boolean =>
  (folded.match(LETTERS) ?? []).some((run) => SPELLED.test(run.replaceAll(/[^\p{L}]/gu, '')))
