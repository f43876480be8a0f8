import { expect, test } from 'vitest';
import { readProjectFile } from '../docs/markdown.js';
import { bindToFreePorts, startHaproxy } from '../support/haproxy.js';

/** Returns a configuration whose frontend for HTTP answers with the header that it would forward. */
function answersWithHeader(file: readonly string[], frontProxies: string): string {
  const text = readProjectFile('deploy', ...file);
  const [frontend = ''] = /^frontend http\n(?: +.*\n)+/m.exec(text) ?? [];
  const [whenEmpty = ''] = /^ +\.if streq\("\$\{FRONT_PROXIES\}".*\n(?: +.*\n)*? +\.endif$/m.exec(text) ?? [];
  return [
    `global\n    ${frontProxies === '' ? '' : `setenv FRONT_PROXIES "${frontProxies}"`}`,
    whenEmpty,
    'defaults\n    timeout connect 3s\n    timeout server 3s',
    frontend.replace(/^ +(?:default|use)_backend .*\n/gm, ''),
    '    http-request return status 200 content-type text/plain lf-string "%[req.hdr(X-Forwarded-For)]"\n',
  ].join('\n');
}

test.each([['deploy/haproxy.cfg', ['haproxy.cfg']]])(
  '%s keeps the addresses that front proxies report, and replaces those from clients',
  async (_name, file) => {
    const answersWith = async (frontProxies: string) => {
      const { configuration, ports } = await bindToFreePorts(answersWithHeader(file, frontProxies));
      const port = ports.get(3000) ?? 0;
      await using haproxy = await startHaproxy(configuration, port);
      const ask = async (headers: Record<string, string>) =>
        await (await fetch(`http://127.0.0.1:${port}/`, { headers })).text();
      const answers = [await ask({ 'X-Forwarded-For': '192.0.2.1' }), await ask({})];
      expect(haproxy.log()).not.toContain('[WARNING]');
      return answers;
    };
    expect(await answersWith('')).toEqual(['127.0.0.1', '127.0.0.1']);
    expect(await answersWith('10.0.0.0/8 192.0.2.1')).toEqual(['127.0.0.1', '127.0.0.1']);
    expect(await answersWith('10.0.0.0/8 127.0.0.1 ::1')).toEqual(['192.0.2.1', '127.0.0.1']);
  },
);
