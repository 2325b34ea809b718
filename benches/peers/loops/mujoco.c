// MuJoCo's forward dynamics and time steps in a loop, for chain_mujoco.py.

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    mjModel* model;
    mjData* data;
} Chain;

Chain* chain_new(const char* path) {
    char error[1000] = "";
    mjModel* model = mj_loadXML(path, NULL, error, sizeof error);
    if (!model) {
        fprintf(stderr, "%s\n", error);
        return NULL;
    }
    Chain* chain = malloc(sizeof *chain);
    *chain = (Chain){model, mj_makeData(model)};
    return chain;
}

void chain_free(Chain* chain) {
    mj_deleteData(chain->data);
    mj_deleteModel(chain->model);
    free(chain);
}

// Only what accelerations need.
static void minimal(const mjModel* m, mjData* d) {
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_makeM(m, d);
    mj_factorM(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 0, d->qfrc_bias);
    for (int i = 0; i < m->nv; ++i) d->qacc_smooth[i] = -d->qfrc_bias[i];
    mj_solveM(m, d, d->qacc, d->qacc_smooth, 1);
}

static void many(Chain* chain, void (*evaluate)(const mjModel*, mjData*), const double* states, int count, int passes,
                 double* accelerations) {
    const size_t n = chain->model->nv;
    mjData* data = chain->data;
    for (int pass = 0; pass < passes; ++pass) {
        for (int k = 0; k < count; ++k) {
            memcpy(data->qpos, states + 2 * n * k, n * sizeof(double));
            memcpy(data->qvel, states + 2 * n * k + n, n * sizeof(double));
            evaluate(chain->model, data);
        }
    }
    memcpy(accelerations, data->qacc, n * sizeof(double));
}

// `states` are count rows of (q, v), taken one after the other, all of them `passes` times; the accelerations of the
// last one are kept.
void chain_forward(Chain* chain, const double* states, int count, int passes, double* accelerations) {
    many(chain, mj_forward, states, count, passes, accelerations);
}

void chain_minimal(Chain* chain, const double* states, int count, int passes, double* accelerations) {
    many(chain, minimal, states, count, passes, accelerations);
}

// From `start`, (q, v), so many steps of the model's integrator; the state is replaced.
void chain_steps(Chain* chain, double* state, double step, int steps) {
    const size_t n = chain->model->nv;
    mjData* data = chain->data;
    chain->model->opt.timestep = step;
    mj_resetData(chain->model, data);
    memcpy(data->qpos, state, n * sizeof(double));
    memcpy(data->qvel, state + n, n * sizeof(double));
    for (int i = 0; i < steps; ++i) mj_step(chain->model, data);
    memcpy(state, data->qpos, n * sizeof(double));
    memcpy(state + n, data->qvel, n * sizeof(double));
}
