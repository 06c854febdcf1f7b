import { ALL_CONSTANTS, ALL_SETTINGS } from './settings';

const LONGEST_LINE = 118;

/** An item of a Markdown list. Its lines break between words, but never within backquotes. */
const item = (text: string): string => {
  const lines = ['-'];
  for (const word of text.match(/(?:`[^`]*`|[^\s`])+/g) ?? []) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length <= LONGEST_LINE) lines[lines.length - 1] = line;
    else lines.push(`  ${word}`);
  }
  return lines.join('\n');
};

/** The settings as text for a terminal. */
export const settingsText = (): string =>
  ALL_SETTINGS.map(({ variable, fallback, doc }) =>
    [
      `  ${variable}${fallback === undefined ? '' : ` (${fallback})`}`,
      `      ${doc.replaceAll('`', '')}`,
    ].join('\n'),
  ).join('\n');

/** The settings as the Markdown list that docs/operating.md holds. */
export const settingsList = (): string =>
  ALL_SETTINGS.map(({ variable, fallback, doc }) =>
    item(`**\`${variable}\`**${fallback === undefined ? '' : ` (\`${fallback}\`)`}: ${doc}`),
  ).join('\n');

/** The constants as the Markdown list that docs/operating.md holds. */
export const constantsList = (): string =>
  ALL_CONSTANTS.map(({ name, text, doc, reason }) =>
    item(`**\`${name}\`** (${text}): ${doc} _Why:_ ${reason}`),
  ).join('\n');
