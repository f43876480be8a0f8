export async function takeWalk() {}
