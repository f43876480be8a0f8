/** The program that evaluates and proposes mappings (`createMappingProcess`). It has no settings and no connections. */
import { type Mapping, type MappingWork, serveWork } from '../../server/parsing.js';
import { mapped } from '../formats/mapped.js';
import { proposeMapping } from './propose.js';

const warmUpItems = 2000;
const warmUpRounds = 2;

/**
 * Evaluates a long message some times, whole and cut off, so that the code is compiled and the heap has grown when the first
 * message comes. Otherwise that takes four times as long, which counts as the time of the message.
 */
function warmUp(): void {
  const item = { epc: 'E2801190A503006543E21224', port: '2', rssi: -48, at: 1_777_629_600_000 };
  const payload = Buffer.from(JSON.stringify({ tags: Array.from({ length: warmUpItems }, () => item) }));
  const mapping: Mapping = {
    list: 'tags',
    value: 'epc',
    antenna: 'to_number(port)',
    rssi: 'rssi',
    time: '$.tags[0].at',
    condition: "starts_with(epc, 'E') && port == '2'",
    time_unit: 'ms',
    tag_type: 'rfid',
  };
  for (let round = 0; round < warmUpRounds; round += 1) {
    for (const given of [payload, payload.subarray(0, -2)]) {
      mapped({ topic: 'gate/1', payload: given, onReadsTopic: true, mapping });
    }
  }
}

warmUp();
serveWork((work: MappingWork) => ('judge' in work ? mapped(work.judge) : proposeMapping(work.propose)));
