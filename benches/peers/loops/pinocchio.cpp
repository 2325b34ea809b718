// Pinocchio's articulated-body algorithm in a loop, for chain_pinocchio.py.
//
// The chain hangs from the origin; link i turns about z in its upper end, its angle is that to the link before, and
// 0 is downwards. Each rod has 1 kg and 1 m.

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/multibody.hpp>

namespace {

struct Chain {
    pinocchio::Model model;
    pinocchio::Data data;
    Eigen::VectorXd torques;
};

pinocchio::Model rods(int links, double gravity) {
    pinocchio::Model model;
    model.gravity.linear(Eigen::Vector3d(0, -gravity, 0));
    pinocchio::JointIndex parent = 0;
    for (int i = 0; i < links; ++i) {
        pinocchio::SE3 joint = pinocchio::SE3::Identity();
        if (i > 0) joint.translation() << 0, -1, 0;
        parent = model.addJoint(parent, pinocchio::JointModelRZ(), joint, "joint" + std::to_string(i));
        const Eigen::Matrix3d inertia = Eigen::Vector3d(1.0 / 12, 0, 1.0 / 12).asDiagonal();
        const pinocchio::Inertia rod(1.0, Eigen::Vector3d(0, -0.5, 0), inertia);
        model.appendBodyToJoint(parent, rod, pinocchio::SE3::Identity());
    }
    return model;
}

template <typename Loop>
void many(Chain* chain, const double* states, int count, int passes, double* accelerations, Loop loop) {
    const int n = chain->model.nv;
    using Vector = Eigen::Map<const Eigen::VectorXd>;
    for (int pass = 0; pass < passes; ++pass) {
        for (int k = 0; k < count; ++k) {
            const double* y = states + 2 * n * k;
            loop(Vector(y, n), Vector(y + n, n));
        }
    }
    Eigen::Map<Eigen::VectorXd>(accelerations, n) = chain->data.ddq;
}

}  // namespace

extern "C" {

Chain* chain_new(int links, double gravity) {
    const pinocchio::Model model = rods(links, gravity);
    return new Chain{model, pinocchio::Data(model), Eigen::VectorXd::Zero(links)};
}

void chain_free(Chain* chain) { delete chain; }

// `states` are count rows of (q, v), taken one after the other, all of them `passes` times; the accelerations of the
// last one are kept.
void chain_local(Chain* chain, const double* states, int count, int passes, double* accelerations) {
    many(chain, states, count, passes, accelerations, [&](const auto& q, const auto& v) {
        pinocchio::aba(chain->model, chain->data, q, v, chain->torques, pinocchio::Convention::LOCAL);
    });
}

void chain_world(Chain* chain, const double* states, int count, int passes, double* accelerations) {
    many(chain, states, count, passes, accelerations, [&](const auto& q, const auto& v) {
        pinocchio::aba(chain->model, chain->data, q, v, chain->torques, pinocchio::Convention::WORLD);
    });
}

}  // extern "C"
